/** A worker that was started with descriptors: says what a program gets of them that it starts, and what an interpreter gets. */
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { Interpreter } from '../../../src/lib/sandbox/process/interpreter';

/** From its beginning, whoever has read it before. */
const READ = `const got = [40, 63].flatMap((fd) => { try { const text = Buffer.alloc(99); return text.toString('utf8', 0, require('fs').readSync(fd, text, 0, 99, 0)) } catch { return [] } }).filter(Boolean)`;

async function main(): Promise<void> {
  const plain = spawnSync(process.execPath, ['-e', `${READ}; process.stdout.write(got.join())`], { encoding: 'utf8' });
  const program = `${READ}; const fs = require('fs'); fs.writeSync(3, 'ready\\n'); const chunk = Buffer.alloc(65536);
    const { token } = JSON.parse(String(chunk.subarray(0, fs.readSync(3, chunk))));
    fs.writeSync(3, token + ' ' + JSON.stringify({ json: JSON.stringify(got) }) + '\\n')`;
  const interpreter = new Interpreter({ command: process.execPath, arguments: ['-e', program], env: {} }, tmpdir());
  await interpreter.ready;
  const inputs = { state: {} };
  const jailed = await interpreter.run({ code: '', inputs, memoryBytes: 1 }, { timeMs: 20_000, resultBytes: 1_000 });
  await interpreter.end();
  process.stdout.write(JSON.stringify({ plain: plain.stdout, jailed }));
}

void main();
