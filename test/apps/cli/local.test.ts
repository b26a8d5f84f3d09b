import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { accepts } from '../../../src/apps/server/ports';
import { ScriptedOpenAI } from '../../../src/apps/testing/scripted-model/server';
import { PROJECT, reflect, ReflectCommand } from './reflect-command';

const docs = readFileSync(join(PROJECT, 'docs/cookbook.md'), 'utf8');
const recipe = docs.slice(docs.indexOf('## Check a file in continuous integration'));
const blocks = [...recipe.matchAll(/```(json|sh)\n([^]*?)```/g)].map(([, language, code]) => ({
  language,
  code: code!,
}));

// A machine of a CI: nobody has started a server or a worker, and variables of a production may be there.
describe('commands with --local', () => {
  let model: ScriptedOpenAI;
  let folder: string;
  let env: NodeJS.ProcessEnv;
  beforeAll(async () => {
    model = await ScriptedOpenAI.start({
      script: ({ text, last }) => {
        if (!text.includes('Would a user understand')) return { reply: 'Exports are streamed now.' };
        const code = /nowhere else, is: (\w+)$/.exec(last)?.[1];
        return { reply: { code, valid: true, score: 0.9, issues: [], suggestions: [], confidence: 0.9 } };
      },
    });
    folder = mkdtempSync(join(tmpdir(), 'reflect-local-'));
    env = {
      OPENAI_BASE_URL: model.baseUrl,
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      TEMPORAL_NAMESPACE: 'production',
      TEMPORAL_API_KEY: 'of-the-production',
      REFLECT_DEPLOYMENT: 'production',
      REFLECT_BUILD_ID: '1',
    };
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await model.close();
  });

  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const serverOf = (stderr: string): number => Number(/for this command alone: 127\.0\.0\.1:(\d+)/.exec(stderr)?.[1]);

  test('the recipe of the cookbook for continuous integration judges and corrects, and needs nothing else', async () => {
    const [check, fix] = blocks.filter(({ language }) => language === 'json');
    file('check.json', check!.code);
    file('fix.json', fix!.code);
    file('entry.md', 'ABC-1 is fixed.');
    const lines = blocks
      .find(({ language }) => language === 'sh')!
      .code.trim()
      .split('\n');
    expect(lines).toHaveLength(2);
    const run = async (line: string) => {
      const bin = `${process.execPath} ${join(PROJECT, 'bin/reflect.js')}`;
      const command = ['-c', line.replace('npx reflect', bin)];
      return promisify(execFile)('sh', command, { cwd: folder, env: { ...process.env, ...env } });
    };
    await expect(run(lines[0]!)).rejects.toMatchObject({ code: 2 });
    expect(JSON.parse(readFileSync(join(folder, 'judged.json'), 'utf8'))).toMatchObject({ outcome: 'fail' });
    const { stdout, stderr } = await run(lines[1]!);
    expect(stdout).toContain('Exports are streamed now.');
    expect(await accepts(serverOf(stderr))).toBe(false);
  }, 60_000);

  test('a loop runs without a server, prints no link to a Web UI, and leaves no server behind', async () => {
    const loop = file('loop.yaml', 'task: Write a line.\nevaluator: { type: regex, pattern: streamed }\n');
    const { code, stdout, stderr } = await reflect(['run', loop, '--local'], { env });
    expect({ code, stderr: stderr.trim().split('\n') }).toEqual({
      code: 0,
      stderr: [expect.stringContaining('alone')],
    });
    expect(stdout).toContain('Exports are streamed now.');
    expect(stdout).not.toContain('http');
    expect(await accepts(serverOf(stderr))).toBe(false);
  }, 60_000);

  test('a command that is interrupted ends its server, and says so', async () => {
    const waits = await ScriptedOpenAI.start({ script: () => ({ reply: 'Late.', delayMs: 60_000 }) });
    const loop = file('waits.yaml', 'task: Write a line.\nevaluator: { type: regex, pattern: streamed }\n');
    const command = new ReflectCommand(['run', loop, '--local'], { env: { ...env, OPENAI_BASE_URL: waits.baseUrl } });
    await command.says(/reflection-/);
    expect(await accepts(serverOf(command.stderr))).toBe(true);
    command.kill('SIGINT');
    const { code, stderr } = await command.finished;
    expect(code).toBe(130);
    expect(stderr).toContain('The run ended with its local server.');
    expect(await accepts(serverOf(stderr))).toBe(false);
    await waits.close();
  }, 60_000);

  test('another server, or a run that goes on, is refused beside it', async () => {
    for (const other of [['--address', '127.0.0.1:7233'], ['--detach']]) {
      const { code, stderr } = await reflect(['run', 'loop.yaml', '--local', ...other], { env });
      expect(code).toBe(1);
      expect(stderr).toContain("option '--local' cannot be used with option");
    }
  }, 60_000);
});
