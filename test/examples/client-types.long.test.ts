import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { makeGoTypes, makePythonTypes, TYPE_FILES, writeShapes } from '../../testing/client-types/make-types';
import { inScriptedWorld } from '../../testing/support/scripted-world';

const run = promisify(execFile);

const PROJECT = path.join(__dirname, '..', '..');
const PROGRAMS = path.join(PROJECT, 'testing', 'client-types');

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'client-types-'));
  cpSync(PROGRAMS, folder, { recursive: true });
  for (const place of ['.', path.join('java', 'schemas')]) writeShapes(path.join(folder, place));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The types of a language that are packed are those that its generator makes now: else `npm run client-types` writes them. */
function expectPacked(language: string): void {
  const types = path.join(PROJECT, 'examples', 'clients', 'types');
  for (const file of TYPE_FILES.filter((each) => each.startsWith(language))) {
    expect([file, readFileSync(path.join(types, file), 'utf8')]).toEqual([
      file,
      readFileSync(path.join(folder, file), 'utf8'),
    ]);
  }
}

/** Make the types of a language and run the program that imports them, with the path of a result. */
const LANGUAGES: Record<string, (result: string) => Promise<string>> = {
  python: async (result) => {
    const python = await makePythonTypes(folder);
    expectPacked('python');
    return (await run(python, ['types_of_client.py', result], { cwd: path.join(folder, 'python') })).stdout;
  },
  go: async (result) => {
    await makeGoTypes(folder);
    expectPacked('go');
    return (await run('go', ['run', '.', result], { cwd: path.join(folder, 'go') })).stdout;
  },
  java: async (result) => {
    const options = { cwd: path.join(folder, 'java') };
    const { stdout } = await run('mvn', ['-q', '-B', 'compile', 'exec:java', `-Dexec.args=${result}`], options);
    return stripVTControlCharacters(stdout);
  },
};

test.concurrent.each(Object.entries(LANGUAGES))(
  'types that a generator makes for %s read a result, and make a spec that a worker takes',
  async (language, runProgram) => {
    const spec = {
      generator: { action: 'llm.call' as const, prompt: 'Say ready.' },
      evaluator: { type: 'regex' as const, pattern: 'ready' },
    };
    await inScriptedWorld({}, [{ reply: 'ready' }, { reply: 'ready again' }], async ({ client }) => {
      const file = path.join(folder, `${language}.result.json`);
      writeFileSync(file, JSON.stringify(await client.run(spec)));
      const { reason, spec: made } = JSON.parse(await runProgram(file)) as { reason: string; spec: typeof spec };
      expect(reason).toBe('quality_met');
      expect(made).toMatchObject(spec);
      expect(await client.run(made)).toMatchObject({ success: true, finalOutput: 'ready again' });
    });
  },
  300_000,
);
