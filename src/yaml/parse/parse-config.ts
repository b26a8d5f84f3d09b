import type { FileConfig } from '../../domain/spec/agent-config';
import { parseConfig } from '../../schemas';
import type { ReadDocument, TopLevel } from '../read-document';

/** Configuration that was read from a file. */
export interface ConfigFile {
  kind: 'config';
  /** The name it goes by in messages. */
  file: string;
  config: FileConfig;
}

/** True for the keys of a configuration file. */
export function isConfig({ keys }: TopLevel): boolean {
  return keys.includes('globalConfig') || (keys.includes('agent') && !keys.includes('generator'));
}

/** Takes a document for configuration. */
export function configOf({ value, originsOf, problemAt, fail }: ReadDocument, file: string): ConfigFile {
  const parsed = parseConfig(value);
  if ('config' in parsed) return { kind: 'config', file, config: parsed.config };
  return fail(
    'InvalidSpec',
    parsed.problems.flatMap(({ path, message }) => originsOf(path).map((origin) => problemAt(origin, message))),
  );
}
