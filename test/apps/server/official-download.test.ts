import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { TEMPORAL_CLI_VERSION } from '../../../src/apps/server/find-cli';
import { downloadOfficialCli } from '../../../src/apps/server/official-download';
import { testCli } from '../../../testing/support/temporal-server';
import { script, temporaryFolders } from './fake-programs';

const newFolder = temporaryFolders();
const offline = { PATH: process.env['PATH'], HTTPS_PROXY: 'http://127.0.0.1:1' };

test('the SDK keeps its download where we look for it', async () => {
  const folder = newFolder();
  const ran = join(folder, 'ran');
  // Stands where the SDK would put its download: a file that the SDK takes for its own, it does not download again.
  const path = script(join(folder, `temporal-v${TEMPORAL_CLI_VERSION}`), `: > ${ran}; exec ${await testCli()} "$@"`);
  expect(await downloadOfficialCli(TEMPORAL_CLI_VERSION, folder, offline)).toEqual({ binary: path });
  expect(existsSync(ran)).toBe(true);
});

test('without internet, the problem is one line that says so', async () => {
  const result = await downloadOfficialCli(TEMPORAL_CLI_VERSION, newFolder(), offline);
  expect(result).toEqual({ problem: expect.stringMatching(/^failed to download [^\n]*refused/) });
});
