import { readFile } from 'node:fs/promises';
import type { SpecKinds } from '../../kinds/list/files';
import type { RunFile } from '../../lib/yaml/spec-file-error';

/**
 * Reads a YAML (or JSON) file as `reflect run` does. Keys may be written in snake_case.
 *
 * @param kind what the file holds: the spec of a loop (default), a pipeline, a plan or a population
 * @throws SpecFileError with every problem, its line and its column, also where the file holds something else; the error of Node.js
 *   if the file cannot be read
 */
export async function loadSpec<Kind extends keyof SpecKinds = 'loop'>(
  file: string,
  kind: Kind = 'loop' as Kind,
): Promise<SpecKinds[Kind]> {
  const bytes = await readFile(file);
  // A service that reads no file does not load the parser.
  const { parseFileOf } = require('./parse/parse-file') as typeof import('./parse/parse-file');
  const { decodeText } = require('../../lib/yaml/decode-text') as typeof import('../../lib/yaml/decode-text');
  const { spec }: RunFile<string, unknown> = parseFileOf(decodeText(bytes, file), file, kind);
  return spec as SpecKinds[Kind];
}
