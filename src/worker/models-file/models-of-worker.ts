import { readModelsFile } from './read-models-file';
import type { WorkOptions } from '../work-options';

export { parseModelsFile } from './read-models-file';

/**
 * Reads the models of a worker, by its options or else by the file that `REFLECT_MODELS` names; none without both. Throws
 * SpecFileError for a file with mistakes; Error for one that cannot be read.
 */
export function modelsOf(
  { models }: Pick<WorkOptions, 'models'>,
  env: NodeJS.ProcessEnv,
): NonNullable<WorkOptions['models']> {
  const { REFLECT_MODELS: file } = env;
  return models ?? (file ? readModelsFile(file, env) : []);
}
