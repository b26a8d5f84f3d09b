import OpenAI from 'openai';
import { chatCall } from './chat-call';
import { withDeadline } from './deadline';
import { configOf, nameProblem } from './model-names';
import { MissingKeyError, UnknownModelError } from './reply-error';
import { scrub } from './scrub';
import type { ModelConfig, Models } from './types';

/** Servers of one's own rarely ask for a key, but the vendor's client insists on one. */
const NO_KEY_NEEDED = 'not-needed';

/**
 * The models of a worker. With no configuration any name goes to `OPENAI_BASE_URL` (default: the provider's own) with
 * `OPENAI_API_KEY`; a spec that names none gets the first configured model, else `OPENAI_MODEL`.
 *
 * @throws TypeError when two models have the same name
 */
export function createModels(configs: readonly ModelConfig[], env: NodeJS.ProcessEnv = process.env): Models {
  const names = configs.map((config) => config.name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new TypeError(`two models are named "${twice}"`);
  const clients = new Map<string, { client: OpenAI; apiKey: string }>();

  function clientFor(config: ModelConfig): { client: OpenAI; apiKey: string } {
    const variable = config.apiKeyVariable ?? 'OPENAI_API_KEY';
    const baseURL = config.baseUrl ?? env['OPENAI_BASE_URL'];
    const apiKey = env[variable] ?? (baseURL ? NO_KEY_NEEDED : undefined);
    if (!apiKey) throw new MissingKeyError(variable);
    const identity = `${baseURL ?? ''} ${variable}`;
    const known = clients.get(identity);
    if (known) return known;
    // Its log would show what models said; an unreadable reply reaches us as an error anyway.
    const options = { maxRetries: 0, organization: null, project: null, logLevel: 'off' as const };
    const made = { client: new OpenAI({ apiKey, baseURL: baseURL ?? null, ...options }), apiKey };
    clients.set(identity, made);
    return made;
  }

  return {
    problem: (name) => nameProblem(configs, name),
    async call(request) {
      const config = configOf(configs, request.model, env);
      if (!config) throw new UnknownModelError(nameProblem(configs, request.model));
      const { client, apiKey } = clientFor(config);
      try {
        return await withDeadline(request, (signal) => chatCall(client, config, { ...request, signal }));
      } catch (error) {
        scrub(error, apiKey);
        throw error;
      }
    },
  };
}
