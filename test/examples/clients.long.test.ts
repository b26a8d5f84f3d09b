import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { inScriptedWorld } from '../../testing/support/scripted-world';

const run = promisify(execFile);

const PROJECT = path.join(__dirname, '..', '..');
const CLIENT = path.join(PROJECT, 'examples', 'clients', 'python');
const ENVIRONMENT = path.join(PROJECT, '.reflect', 'python');
const PYTHON = path.join(ENVIRONMENT, 'bin', 'python');

/** An environment with the packages of the example; made once for each checkout. */
async function pythonWithPackages(): Promise<string> {
  if (!existsSync(PYTHON)) await run('python3', ['-m', 'venv', ENVIRONMENT]);
  await run(PYTHON, ['-m', 'pip', 'install', '--quiet', '-r', path.join(CLIENT, 'requirements.txt')]);
  return PYTHON;
}

test('a client in Python starts a loop, reads its progress, accepts, and gets its result', async () => {
  const python = await pythonWithPackages();
  const haiku = 'Rain on fallen leaves';
  const script = [{ reply: haiku }, { reply: { pass: false, score: 0.4, issues: ['two lines are missing'] } }];
  await inScriptedWorld({}, script, async ({ client, address }) => {
    const env = { ...process.env, TEMPORAL_ADDRESS: address, REFLECT_TASK_QUEUE: client.taskQueue };
    const { stdout, stderr } = await run(python, [path.join(CLIENT, 'loop.py')], { env });
    expect(JSON.parse(stdout)).toEqual({ reason: 'user_accepted', output: haiku });
    expect(stderr).toContain('waiting');
  });
}, 300_000);

test('the clients in all languages send the same spec', () => {
  const specs = ['python/loop.py', 'java/src/main/java/Loop.java', 'go/main.go'].map((file) => {
    const text = readFileSync(path.join(CLIENT, '..', file), 'utf8');
    return [...text.matchAll(/"(name|task|action|type|when|timeout)": "([^"]*)"/g)].map(
      ([, key, value]) => `${key}=${value}`,
    );
  });
  expect(specs[0]).toContain('task=Write a haiku about autumn rain.');
  expect(specs[1]).toEqual(specs[0]);
  expect(specs[2]).toEqual(specs[0]);
});
