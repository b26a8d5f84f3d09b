import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
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

type Environment = NodeJS.ProcessEnv;

/** How the client of each language is run; what it prints on its outputs. */
const CLIENTS: Record<string, (env: Environment) => Promise<{ stdout: string; stderr: string }>> = {
  python: async (env) => run(await pythonWithPackages(), [path.join(CLIENT, 'loop.py')], { env }),
  go: (env) => run('go', ['run', '.'], { env, cwd: path.join(CLIENT, '..', 'go') }),
  java: async (env) => {
    // Maven writes into the project.
    const folder = mkdtempSync(path.join(os.tmpdir(), 'java-client-'));
    cpSync(path.join(CLIENT, '..', 'java'), folder, { recursive: true });
    return run('mvn', ['-q', '-B', 'compile', 'exec:java'], { env, cwd: folder }).finally(() =>
      rmSync(folder, { recursive: true, force: true }),
    );
  },
};

test.concurrent.each(Object.entries(CLIENTS))(
  'a client in %s starts a loop, reads its progress, answers, accepts, and gets its result',
  async (_language, runClient) => {
    const haiku = 'Rain on fallen leaves';
    const asks = { name: 'ask_person', arguments: { question: 'Where does it rain?' } };
    const script = [
      { toolCalls: [asks] },
      { reply: haiku },
      { reply: { pass: false, score: 0.4, issues: ['two lines are missing'] } },
    ];
    await inScriptedWorld({}, script, async ({ client, address }) => {
      const env = { ...process.env, TEMPORAL_ADDRESS: address, REFLECT_TASK_QUEUE: client.taskQueue };
      const { stdout, stderr } = await runClient(env);
      expect(JSON.parse(stripVTControlCharacters(stdout))).toEqual({ reason: 'user_accepted', output: haiku });
      expect(stderr).toContain('waiting');
      const ids: string[] = [];
      for await (const { workflowId } of client.list({ query: `TaskQueue = '${client.taskQueue}'` }))
        ids.push(workflowId);
      const { history } = await client.result(ids[0]!);
      expect(history.versions[0]!.calls).toMatchObject([{ name: 'ask_person', result: 'In the city.' }]);
      expect(history.people.map(({ name }) => name)).toEqual(['answer', 'accept']);
    });
  },
  300_000,
);

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
