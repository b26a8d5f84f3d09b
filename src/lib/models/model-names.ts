import { type AllowList, allows } from '../base/allow-list';
import { didYouMean } from '../names/nearest-name';
import type { TypedProblem } from '../base/spec-problem';
import { inability, type ServedModel } from './own/served-model';
import type { Models } from './types';

const DEFAULT_MODEL = 'gpt-4o-mini';

export interface ServedModels {
  /** The configured models. With none, every name goes to one endpoint. */
  configs: readonly ServedModel[];
  /** The names that specs may use. Default: all. */
  allowed?: AllowList;
  defaultModel: string;
}

/** The models that specs may name. Throws TypeError without any, or without the default. */
export function servedModels(
  configs: readonly ServedModel[],
  env: NodeJS.ProcessEnv,
  allowed: AllowList | undefined,
): ServedModels {
  if (configs.length > 0) {
    const served = configs.filter(({ name }) => allows(allowed, name));
    const first = served.find((config) => inability(config, 'call') === undefined);
    if (first) return { configs: served, defaultModel: first.name };
    if (served.length > 0)
      throw new TypeError(`no model of this worker can be called: ${namesOf(served)} only make embeddings`);
    throw new TypeError(
      `no model of this worker is allowed: it has ${namesOf(configs)}, and allows ${listAllowed(allowed)}`,
    );
  }
  const asked = env['OPENAI_MODEL'];
  const defaultModel = asked || allowed?.find((entry) => !entry.endsWith('*')) || DEFAULT_MODEL;
  if (!allows(allowed, defaultModel)) {
    const which = `${asked ? 'OPENAI_MODEL' : 'the default model'}, "${defaultModel}"`;
    throw new TypeError(
      `${which}, which a spec gets that names none, is not allowed: allowed are ${listAllowed(allowed)}`,
    );
  }
  return { configs, ...(allowed && { allowed }), defaultModel };
}

const namesOf = (configs: readonly ServedModel[]): string => configs.map(({ name }) => name).join(', ');
const listAllowed = (allowed: AllowList = []): string => (allowed.length === 0 ? 'none' : allowed.join(', '));

export function configOf(served: ServedModels, name = served.defaultModel): ServedModel | undefined {
  const { configs, allowed } = served;
  if (configs.length > 0) return configs.find((config) => config.name === name);
  return allows(allowed, name) ? { name, model: name } : undefined;
}

export function nameProblem(
  served: ServedModels,
  name: string | undefined,
  use: 'call' | 'embed' = 'call',
): string | undefined {
  if (name === undefined) return undefined;
  if (/\{[{%]/.test(name)) return `model "${name}" is a template; a model has to be named`;
  const found = configOf(served, name);
  if (found) return inability(found, use);
  if (served.configs.length === 0)
    return `model "${name}" is not served by this worker${didYouMean(name, served.allowed ?? [])}; it serves ${listAllowed(served.allowed)}`;
  const near = didYouMean(
    name,
    served.configs.map((config) => config.name),
  );
  return `model "${name}" is not configured on this worker${near}; it has ${namesOf(served.configs)}`;
}

/** Returns the problems of the model that a step or an evaluator names; the path is relative to it. */
export function modelProblems(model: string | undefined, models: Models): TypedProblem[] {
  const message = model === undefined ? undefined : models.problem(model);
  return message === undefined ? [] : [{ path: '/model', message, type: 'UnknownModel' }];
}
