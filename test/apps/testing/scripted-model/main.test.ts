import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import OpenAI from 'openai';
import { paidCalls, readLedger } from '../../../../src/apps/testing/scripted-model/ledger';

const MAIN = join(__dirname, '..', '..', '..', '..', 'testing', 'scripted-openai', 'main.ts');

describe('the scripted server as a process of its own', () => {
  let folder: string;
  let child: ChildProcess;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'scripted-'));
  });
  afterEach(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });

  async function start(script: object[]) {
    const scriptFile = join(folder, 'script.json');
    const ledger = join(folder, 'ledger.jsonl');
    writeFileSync(scriptFile, JSON.stringify(script));
    child = spawn(process.execPath, ['--import', 'tsx', MAIN, scriptFile, '0', ledger], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [baseURL] = (await once(createInterface(child.stdout!), 'line')) as [string];
    return { client: new OpenAI({ apiKey: 'k', baseURL, maxRetries: 0 }), ledger };
  }

  const stop = async () => {
    child.kill('SIGTERM');
    const [code] = (await once(child, 'exit')) as [number];
    return code;
  };

  test('answers, and keeps a ledger that another process reads', async () => {
    const { client, ledger } = await start([{ match: { last: '^hello' }, reply: 'hi' }]);
    const completion = await client.chat.completions.create({
      model: 'm',
      messages: [{ role: 'user', content: 'hello' }],
    });
    expect(completion.choices[0]?.message.content).toBe('hi');
    expect(paidCalls(readLedger(ledger))).toHaveLength(1);
    expect(await stop()).toBe(0);
  });

  test('ends with code 1 when its script ran out', async () => {
    const { client } = await start([]);
    await expect(client.chat.completions.create({ model: 'm', messages: [] })).rejects.toThrow('no answer');
    expect(await stop()).toBe(1);
  });
});
