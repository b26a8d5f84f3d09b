import type { ModelConfig } from './types';

/** Asked for when neither spec nor worker names a model. */
export const DEFAULT_MODEL = 'gpt-4o-mini';

/** The configuration that a name stands for; undefined when the worker does not know the name. */
export function configOf(
  configs: readonly ModelConfig[],
  name: string | undefined,
  env: NodeJS.ProcessEnv,
): ModelConfig | undefined {
  if (configs.length > 0) return name === undefined ? configs[0] : configs.find((config) => config.name === name);
  const model = name ?? (env['OPENAI_MODEL'] || DEFAULT_MODEL);
  return { name: model, model };
}

/** Why a name cannot be used; undefined when it can. */
export function nameProblem(configs: readonly ModelConfig[], name: string | undefined): string | undefined {
  if (name !== undefined && /\{[{%]/.test(name)) return `model "${name}" is a template; a model has to be named`;
  if (configs.length === 0 || name === undefined || configs.some((config) => config.name === name)) return undefined;
  return `model "${name}" is not configured on this worker; it has ${configs.map((config) => config.name).join(', ')}`;
}
