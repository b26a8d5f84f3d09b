import type { ChatReply, ChatRequest, ModelConfig } from '../types';
import { type CallForm, formOf, type Lesson, schemaKeyOf } from './call-form';
import { outputLimit } from '../tokens/output-limit';
import { refusedPart } from './refusals';
import { renderCount } from '../../text/counted';

/** The tokens that end a reply, which some servers count. */
const END_TOKENS = 1;

const ASKED_IN_WORDS = 'the endpoint takes no response_format here, so the form of the reply was asked for in words';
const LIMIT_REFUSED =
  'the endpoint refuses the default limit of output tokens, so the reply had none: set maxOutputTokens';

export function addWarnings(reply: ChatReply, ...more: readonly string[]): ChatReply {
  if (more.length === 0) return reply;
  return { ...reply, warnings: [...new Set([...(reply.warnings ?? []), ...more])] };
}

/** The lessons about endpoints that one worker process found out, for each endpoint with each model. */
export class LearnedHabits {
  readonly #lessons = new Map<string, Set<Lesson>>();

  lessonsOf({ baseUrl = '', model }: ModelConfig): Set<Lesson> {
    const key = `${baseUrl} ${model}`;
    const lessons = this.#lessons.get(key) ?? new Set();
    this.#lessons.set(key, lessons);
    return lessons;
  }
}

type Api = 'chat' | 'responses';

/**
 * Makes one call in the form that its endpoint takes. Where the endpoint names a part that it refuses, the same question is put
 * again without it, and what was found is remembered once that worked. A refused request is not carried out and not paid for, so
 * there is still at most one call.
 * @param make puts the request; it never retries
 */
export async function callAdapted(
  learned: LearnedHabits,
  config: ModelConfig,
  request: ChatRequest,
  make: (form: CallForm) => Promise<ChatReply>,
  api: Api = 'chat',
): Promise<ChatReply> {
  const known = learned.lessonsOf(config);
  const schemaKey = schemaKeyOf(request);
  const found = new Set<Lesson>();
  for (;;) {
    const form = formOf(config, new Set([...known, ...found]), schemaKey);
    try {
      const reply = await make(form);
      for (const lesson of found) known.add(lesson);
      return addWarnings(reply, ...warningsOf(config, request, form, api, reply));
    } catch (error) {
      const lesson = refusedPart(error, { config, request, form });
      if (lesson === undefined || found.has(lesson)) throw error;
      found.add(lesson);
    }
  }
}

function warningsOf(
  config: ModelConfig,
  request: ChatRequest,
  form: CallForm,
  api: Api,
  { usage: { completionTokens, estimated } }: ChatReply,
): string[] {
  const isFound = config.structuredOutput === undefined;
  const warnings = request.reply && !form.schema && isFound ? [ASKED_IN_WORDS] : [];
  const limit = outputLimit(config, request, form);
  if (limit === undefined && !form.defaultLimit) warnings.push(LIMIT_REFUSED);
  if (api === 'chat' && limit !== undefined && !estimated && completionTokens > limit + END_TOKENS) {
    const other =
      form.limitField === 'max_tokens' ? '' : '; `limitField: max_tokens` of the model sends the older field';
    warnings.push(
      `the reply has ${renderCount(completionTokens, 'token')}, and ${limit} were allowed: the endpoint ignores ${form.limitField}${other}`,
    );
  }
  return warnings;
}
