import { chooseSampling } from './sampling';
import type { APIError } from 'openai';
import { failureTypeOf, isError } from '../circuits/failure-type';
import type { ChatReply, ChatRequest, ModelConfig } from '../types';
import { type CallForm, formOf, type Lesson, schemaKeyOf } from './call-form';
import type { LearnedHabits } from './learned-habits';
import { outputLimit } from '../tokens/output-limit';
import { refusalIn } from './refusals';
import { renderCount } from '../../text/counted';

/** The time after which a lesson from a status 500 is tested again: it may have been an outage. */
const DOUBTFUL_MS = 10 * 60_000;

/** The tokens that end a reply, which some servers count. */
const END_TOKENS = 1;

const ASKED_IN_WORDS = 'the endpoint takes no response_format here, so the form of the reply was asked for in words';
const LIMIT_REFUSED =
  'the endpoint refuses the default limit of output tokens, so the reply had none: set maxOutputTokens';

export function addWarnings(reply: ChatReply, ...more: readonly string[]): ChatReply {
  if (more.length === 0) return reply;
  return { ...reply, warnings: [...new Set([...(reply.warnings ?? []), ...more])] };
}

/** Returns whether an error is new: one that a request without the guessed part gets as well is not. */
function isNews(error: unknown): boolean {
  const type = isError(error) ? failureTypeOf(error) : undefined;
  return type !== 'BadRequest' && type !== 'Unavailable';
}

/** The protocol of a call: the known limits of chats do not hold for responses. */
type Api = 'chat' | 'responses';

/**
 * Makes one call in the form that its endpoint takes. Where the endpoint refuses a part that can be left out, the same question
 * is put again without it, and what was found is remembered once that worked. A refused request is not carried out and not
 * paid for, so there is still at most one call.
 *
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
  const found = new Map<Lesson, { forMs: number }>();
  let doubted: unknown;
  for (;;) {
    const form = formOf(config, new Set([...known, ...found.keys()]), schemaKey);
    try {
      const reply = await make(form);
      for (const [lesson, { forMs }] of found) learned.note(config, lesson, forMs);
      return noteHabits(learned, { config, request, form, api }, reply);
    } catch (error) {
      if (doubted !== undefined) throw isNews(error) ? error : doubted;
      const refusal = refusalIn(error, { config, request, form }, learned.acceptedParts(config));
      if (!refusal || refusal.lessons.every((lesson) => found.has(lesson))) throw error;
      const isDoubtful = refusal.isGuess && (error as APIError).status === 500;
      if (refusal.isGuess) doubted = error;
      for (const lesson of refusal.lessons) found.set(lesson, { forMs: isDoubtful ? DOUBTFUL_MS : Infinity });
    }
  }
}

function noteHabits(
  learned: LearnedHabits,
  { config, request, form, api }: { config: ModelConfig; request: ChatRequest; form: CallForm; api: Api },
  reply: ChatReply,
): ChatReply {
  const isFound = config.structuredOutput === undefined;
  const sampling = chooseSampling(config, request, form);
  learned.noteAccepted(config, [
    ...(request.reply && form.schema ? (['schema'] as const) : []),
    ...(request.suggested ?? []).filter((setting) => sampling[setting] !== undefined),
  ]);
  const warnings = request.reply && !form.schema && isFound ? [ASKED_IN_WORDS] : [];
  const limit = outputLimit(config, request, form);
  if (limit === undefined && !form.defaultLimit) warnings.push(LIMIT_REFUSED);
  const { completionTokens, estimated } = reply.usage;
  if (api === 'chat' && limit !== undefined && !estimated && completionTokens > limit + END_TOKENS) {
    const canSwitch = config.limitField === undefined && form.limitField === 'max_completion_tokens';
    if (canSwitch) learned.note(config, 'max_completion_tokens');
    const next = canSwitch ? '; calls from now on send max_tokens' : '';
    warnings.push(
      `the reply has ${renderCount(completionTokens, 'token')}, and ${limit} were allowed: the endpoint ignores ${form.limitField}${next}`,
    );
  }
  return addWarnings(reply, ...warnings);
}
