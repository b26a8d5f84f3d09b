import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { jsonSchemas } from '../../src/kinds/list/schemas';
import { nameTypes } from '../../src/lib/contract/definitions';

const run = promisify(execFile);

const PROJECT = path.join(__dirname, '..', '..');
const CACHE = path.join(PROJECT, '.reflect', 'client-types');
/** The versions that docs/clients.md names: another one may write other code. */
const GO_GENERATOR = 'github.com/atombender/go-jsonschema@v0.24.1';
const PYTHON_GENERATOR = 'datamodel-code-generator==0.89.0';

/** The shapes that a client needs first. */
const SHAPES = ['spec', 'result', 'progress'];

/** The types that are packed, by the paths of their files below `examples/clients/types`. */
export const TYPE_FILES = SHAPES.flatMap((shape) => [`python/${shape}.py`, `go/${shape}/${shape}.go`]);

/** Writes the JSON Schemas from which types are made into a folder. */
export function writeShapes(folder: string): void {
  const schemas = nameTypes(jsonSchemas());
  mkdirSync(folder, { recursive: true });
  for (const shape of SHAPES) {
    writeFileSync(path.join(folder, `${shape}.json`), JSON.stringify(schemas[`${shape}.json`]));
  }
}

/**
 * Makes the types of Python below a folder that has the JSON Schemas. Fetches the generator.
 *
 * @returns a Python that has what the types import
 */
export async function makePythonTypes(folder: string): Promise<string> {
  const bin = path.join(CACHE, 'python', 'bin');
  if (!existsSync(bin)) await run('python3', ['-m', 'venv', path.dirname(bin)]);
  await run(path.join(bin, 'pip'), ['install', '--quiet', PYTHON_GENERATOR]);
  const form = [
    '--input-file-type',
    'jsonschema',
    '--output-model-type',
    'pydantic_v2.BaseModel',
    '--disable-timestamp',
  ];
  for (const shape of SHAPES) {
    const files = ['--input', `${shape}.json`, '--output', path.join('python', `${shape}.py`)];
    await run(path.join(bin, 'datamodel-codegen'), [...files, ...form], { cwd: folder });
  }
  return path.join(bin, 'python');
}

/** Makes the types of Go below a folder that has the JSON Schemas. Fetches the generator. */
export async function makeGoTypes(folder: string): Promise<void> {
  const bin = path.join(CACHE, 'go');
  mkdirSync(bin, { recursive: true });
  const env = { ...process.env, GOBIN: bin, GOFLAGS: '-mod=mod' };
  await run('go', ['install', GO_GENERATOR], { cwd: path.join(folder, 'go'), env });
  for (const shape of SHAPES) {
    const place = path.join('go', shape);
    mkdirSync(path.join(folder, place), { recursive: true });
    const files = ['-p', shape, '-o', path.join(place, `${shape}.go`), `${shape}.json`];
    await run(path.join(bin, 'go-jsonschema'), ['--struct-name-from-title', '--only-models', ...files], {
      cwd: folder,
    });
  }
}
