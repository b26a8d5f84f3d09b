import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTick } from 'node:timers/promises';

import { localFolderStorage } from '../../../src/lib/storage/local-folder';
import { textIn } from './payloads';

const ROOT = join(__dirname, '..', '..', '..');

/** Stores without end, and says what it got a claim for. */
const WRITER = `
const { localFolderStorage } = require('./src/lib/storage/local-folder');
const { from, jsonPayload } = require('./test/lib/storage/payloads');
const driver = localFolderStorage({ folder: process.argv[1] });
(async () => {
  for (let seed = Number(process.argv[2]); ; seed++) {
    const [claim] = await driver.store(from('default'), [jsonPayload({ seed, output: String(seed).padEnd(4_000_000, ' text') })]);
    process.stdout.write(JSON.stringify({ seed, claimData: claim.claimData }) + '\\n');
  }
})();
`;

test('what has a claim can be read after a kill at any moment', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'reflect-storage-'));
  const driver = localFolderStorage({ folder });
  let claims = 0;
  try {
    for (let kill = 0; kill < 4; kill++) {
      const firstSeed = kill * 1_000_000;
      const command = ['--import', 'tsx', '-e', WRITER, '--', folder, String(firstSeed)];
      const writer = spawn(process.execPath, command, { cwd: ROOT });
      const exited = once(writer, 'exit');
      let said = '';
      let complaints = '';
      writer.stdout.on('data', (chunk) => (said += String(chunk)));
      writer.stderr.on('data', (chunk) => (complaints += String(chunk)));
      await Promise.race([once(writer.stdout, 'data'), exited]);
      // Now, and not a moment later: a file has just been opened, and is being written.
      const before = readdirSync(folder, { recursive: true }).length;
      while (readdirSync(folder, { recursive: true }).length <= before && writer.exitCode === null) await nextTick();
      writer.kill('SIGKILL');
      await exited;
      expect(complaints.replace(/^npm warn.*$/gm, '').trim()).toBe('');
      for (const line of said.split('\n').slice(0, -1)) {
        const { seed, claimData } = JSON.parse(line) as { seed: number; claimData: Record<string, string> };
        const [payload] = await driver.retrieve({}, [{ claimData }]);
        expect(textIn(payload)).toBe(JSON.stringify({ seed, output: String(seed).padEnd(4_000_000, ' text') }));
        claims++;
      }
      // Nor is there half a part under a whole part's name, which a later store could take for the part.
      for (const { parentPath, name } of await readdir(folder, { recursive: true, withFileTypes: true })) {
        if (!/^[0-9a-f]{64}$/.test(name)) continue;
        const bytes = await readFile(join(parentPath, name));
        expect(createHash('sha256').update(bytes).digest('hex')).toBe(name);
      }
    }
    expect(claims).toBeGreaterThanOrEqual(4);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
