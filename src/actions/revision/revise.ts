import { isJsonObject } from '../../domain/base/json/json';
import { jsonInText } from '../../domain/evaluation/output-reading';
import type { ModelCallStep } from '../../domain/spec/spec';
import { offloaded } from '../../threads/offload';
import { TimeLimitExceeded } from '../../threads/time-limit';
import { isLighterThan } from '../../threads/weight';
import { callModel, renderCall, type RenderedCall } from '../llm-call';
import { resamplePrompt } from './resample-prompt';
import { outputOfEdits } from './revision-edits';
import { revisionPrompt } from './revision-prompt';
import type { Revision, StepContext, StepArguments } from '../types';
import type { StepOutcome } from '../../domain/step-state/step-call';

/** The corrector of specs that have none: the generator's own model is told what is wrong with its output. */
export async function runBuiltInRevision(
  generator: ModelCallStep,
  input: StepArguments,
  revision: Revision,
  context: StepContext,
): Promise<StepOutcome> {
  const messages = await promptOf(generator, input, revision);
  // Edits and advice have a form of their own.
  const isWhole = !revision.advice && revision.strategy !== 'targeted_edit';
  const step = isWhole ? generator : { ...generator, reply: false as const };
  const result = await callModel(messages, step, input, context);
  if (result.toolCalls || revision.advice) return result;
  return revision.strategy === 'targeted_edit' ? applied(result, revision) : asWritten(result, revision);
}

async function promptOf(
  generator: ModelCallStep,
  input: StepArguments,
  revision: Revision,
): Promise<Pick<RenderedCall, 'messages' | 'warnings'>> {
  const limits = [generator.maxTokens, input.maxTokens].filter((limit) => limit !== undefined);
  const maxTokens = limits.length > 0 ? Math.min(...limits) : undefined;
  if (revision.strategy === 'resample') {
    const request = await renderCall(generator, input);
    if (request.messages.length > 0) return { ...request, messages: resamplePrompt(request, revision, maxTokens) };
  }
  // The revision prompt has a place of its own for what the reviewer said.
  const { reflection_guidance: _guidance, ...state } = input.state;
  const request = await renderCall(generator, { ...input, state });
  return { ...request, messages: revisionPrompt(request, revision, maxTokens) };
}

/** A reply that is JSON, but for a fence or a few words around it, where a structure was to be written anew: that structure. */
function asWritten(result: StepOutcome, { output: before }: Revision): StepOutcome {
  const { output: reply } = result;
  if (typeof reply !== 'string' || typeof before !== 'object' || before === null) return result;
  for (const { start, end, value } of jsonInText(reply)) {
    const isMost = 2 * (end - start) > reply.length;
    const isAlike = Array.isArray(before) ? Array.isArray(value) : isJsonObject(value);
    if (isMost && isAlike) return { ...result, output: value };
  }
  return result;
}

/** Characters and parts of what the event loop edits itself: some milliseconds. */
const SMALL = 30_000;

/** Applies edits where it holds up nobody. */
const applyEdits = offloaded({
  file: require.resolve('./revision-edits'),
  name: outputOfEdits.name,
  run: outputOfEdits,
  isSmall: (edits) => isLighterThan(SMALL, edits),
  key: ({ reply }) => reply,
});

/** The output that the reply's edits make. A reply without edits is a whole output, as if it had been asked for one. */
async function applied(result: StepOutcome, revision: Revision): Promise<StepOutcome> {
  if (typeof result.output !== 'string') return result;
  const edited = await applyEdits({ reply: result.output, output: revision.output }).catch((error: unknown) => {
    if (!(error instanceof TimeLimitExceeded)) throw error;
    return { problem: `to apply the edits ${error.message}` };
  });
  if (edited === 'whole') return { ...asWritten(result, revision), strategy: 'full_rewrite' };
  return 'problem' in edited
    ? { ...result, output: null, unappliedEdit: edited.problem }
    : { ...result, output: edited.output };
}
