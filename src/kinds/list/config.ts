import { z } from 'zod';
import { readForm } from '../../lib/contract/form-problems';
import type { SpecProblem } from '../../lib/contract/spec-problem';
import { populationConfig } from '../agents/contract/file-config';
import { planFileConfig } from '../plan/contract/file-config';

/** The form of a configuration file. */
export const fileConfig = z.strictObject({
  ...populationConfig,
  ...planFileConfig,
});

/** The content of a configuration file: `global_config.reflection`, and `agent`. */
export type FileConfig = z.output<typeof fileConfig>;

/** Reads a configuration file's value, and fills in every default. */
export function parseConfig(value: unknown): { config: FileConfig } | { problems: SpecProblem[] } {
  const { data, problems } = readForm(fileConfig, value);
  return data ? { config: data } : { problems };
}
