import { fileConfig, type FileConfig } from './contract';
import type { SpecProblem } from '../../lib/contract/spec-problem';
import { issueProblems } from '../../lib/contract/form-problems';

/** Reads a configuration file's value, and fills in every default. */
export function parseConfig(value: unknown): { config: FileConfig } | { problems: SpecProblem[] } {
  const { data, error } = fileConfig.safeParse(value);
  return error ? { problems: issueProblems(fileConfig, error, value) } : { config: data };
}
