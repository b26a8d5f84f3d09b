import { modelFailureType } from '../../activities/failures';
import { createModels } from '../../lib/models';
import type { ModelConfig } from '../../lib/models/types';

const TIMEOUT_MS = 30_000;

const LIMIT = 2_000;

const CHECK = {
  name: 'check',
  schema: {
    type: 'object',
    properties: { ok: { type: 'boolean' } },
    required: ['ok'],
    additionalProperties: false,
  },
};

export type TriedModel = { model: string } & (
  | {
      keptForm: boolean;
      warnings: string[];
    }
  | { type: string; message: string }
);

function hasForm(text: string): boolean {
  try {
    const { ok } = JSON.parse(text) as { ok?: unknown };
    return typeof ok === 'boolean';
  } catch {
    return false;
  }
}

/**
 * Asks a model for a small reply of a schema. It is paid for.
 * @param configs the worker's models; none: the environment's
 * @param wanted the name of one of them. Default: the one that a worker calls by default
 */
export async function tryModel(
  env: NodeJS.ProcessEnv,
  configs: readonly ModelConfig[] = [],
  wanted?: ModelConfig,
): Promise<TriedModel> {
  let model = wanted?.model ?? env['OPENAI_MODEL'] ?? '';
  try {
    const models = createModels(configs, env);
    model = wanted?.model ?? models.served.defaultModel;
    const { text, warnings = [] } = await models.call({
      ...(wanted && { model: wanted.name }),
      messages: [
        { role: 'system', content: 'You answer with one JSON object and nothing else.' },
        { role: 'user', content: 'Reply with {"ok": true}.' },
      ],
      reply: CHECK,
      maxTokens: LIMIT,
      timeoutMs: TIMEOUT_MS,
      signal: new AbortController().signal,
    });
    return { model, keptForm: hasForm(text), warnings };
  } catch (error) {
    const { message } = error as Error;
    return { model, type: modelFailureType(error), message };
  }
}
