import type { Json } from '../../domain/base/json';
import { readDocument } from '../read-document';

/**
 * Reads a YAML (or JSON) file of plain data, without renaming anything.
 *
 * @throws SpecFileError `InvalidYaml` with every mistake
 */
export function parseDataFile(text: string, file: string): Json {
  return readDocument(text, file, { kind: 'data' }).value;
}
