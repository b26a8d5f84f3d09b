import type { Answer } from '../../../src/lib/sandbox/process/frame';
import { Interpreter } from '../../../src/lib/sandbox/process/interpreter';

export const LIMITS = { timeMs: 5_000, resultBytes: 100_000 };

/**
 * What stands at the other end of the channel, and answers with what code outside of its interpreter would write.
 *
 * @param script has `fs`, `token` and `send(...parts)`
 */
export async function answerTo(folder: string, script: string, limits = LIMITS): Promise<Answer> {
  const program = `
    const fs = require('node:fs');
    fs.writeSync(3, 'ready\\n');
    const chunk = Buffer.alloc(65536);
    const { token } = JSON.parse(chunk.subarray(0, fs.readSync(3, chunk)).toString());
    const send = (...parts) => fs.writeSync(3, Buffer.concat(parts.map((part) => Buffer.from(part))));
    ${script}`;
  const interpreter = new Interpreter({ command: process.execPath, arguments: ['-e', program], env: {} }, folder);
  try {
    await interpreter.ready;
    return await interpreter.run({ code: '', inputs: { state: {} }, memoryBytes: 1 }, limits);
  } finally {
    await interpreter.end();
  }
}
