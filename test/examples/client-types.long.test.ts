import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { jsonSchemas } from '../../src/kinds/list/schemas';
import { nameTypes } from '../../src/lib/contract/definitions';
import { inScriptedWorld } from '../../testing/support/scripted-world';

const run = promisify(execFile);

const PROJECT = path.join(__dirname, '..', '..');
const PROGRAMS = path.join(PROJECT, 'testing', 'client-types');
const CACHE = path.join(PROJECT, '.reflect', 'client-types');
/** The versions that docs/clients.md was tried with. */
const GO_GENERATOR = 'github.com/atombender/go-jsonschema@v0.24.1';
const PYTHON_GENERATOR = 'datamodel-code-generator==0.89.0';

const SCHEMAS = nameTypes(jsonSchemas());
const SHAPES = ['spec', 'result'];

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'client-types-'));
  cpSync(PROGRAMS, folder, { recursive: true });
  for (const place of ['.', path.join('java', 'schemas')]) {
    mkdirSync(path.join(folder, place), { recursive: true });
    for (const shape of SHAPES) {
      writeFileSync(path.join(folder, place, `${shape}.json`), JSON.stringify(SCHEMAS[`${shape}.json`]));
    }
  }
  mkdirSync(CACHE, { recursive: true });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The commands that make the types of a language and run the program that imports them, with the path of a result. */
const LANGUAGES: Record<string, (result: string) => Promise<string>> = {
  python: async (result) => {
    const bin = path.join(CACHE, 'python', 'bin');
    if (!existsSync(bin)) await run('python3', ['-m', 'venv', path.dirname(bin)]);
    await run(path.join(bin, 'pip'), ['install', '--quiet', PYTHON_GENERATOR]);
    const cwd = path.join(folder, 'python');
    const form = ['--input-file-type', 'jsonschema', '--output-model-type', 'pydantic_v2.BaseModel'];
    for (const shape of SHAPES) {
      const files = ['--input', path.join('..', `${shape}.json`), '--output', `${shape}.py`];
      await run(path.join(bin, 'datamodel-codegen'), [...files, ...form], { cwd });
    }
    return (await run(path.join(bin, 'python'), ['types_of_client.py', result], { cwd })).stdout;
  },
  go: async (result) => {
    const cwd = path.join(folder, 'go');
    const bin = path.join(CACHE, 'go');
    await run('go', ['install', GO_GENERATOR], { cwd, env: { ...process.env, GOBIN: bin, GOFLAGS: '-mod=mod' } });
    const flags = ['--struct-name-from-title', '--only-models'];
    for (const shape of SHAPES) {
      mkdirSync(path.join(cwd, shape));
      const files = ['-p', shape, '-o', path.join(shape, `${shape}.go`), path.join('..', `${shape}.json`)];
      await run(path.join(bin, 'go-jsonschema'), [...flags, ...files], { cwd });
    }
    return (await run('go', ['run', '.', result], { cwd })).stdout;
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
