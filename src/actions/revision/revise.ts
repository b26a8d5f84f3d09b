import { isModelCall } from '../../loop/spec/steps';
import type { Corrector, ModelCallStep, Step } from '../../loop/contract/steps';
import type { RevisionMethod } from '../../loop/contract/loop-options';
import { offload } from '../../lib/threads/offload';
import { TimeLimitExceeded } from '../../lib/threads/time-limit';
import { isLighterThan } from '../../lib/threads/weight';
import { callModel, type CallMessages, renderCall, replyToKeep } from '../llm-call';
import { type RevisedReply, revisedOutput } from './revised-reply';
import { revisionMessages } from './revision-prompt';
import type { Revision, StepContext, StepArguments } from '../types';
import type { StepOutcome } from '../../loop/step-state/step-call';

const ASKED: Readonly<Record<RevisionMethod, RevisedReply['asked']>> = {
  targeted_edit: 'edits',
  incremental: 'whole',
  full_rewrite: 'whole',
  resample: 'anew',
};

/** Runs the corrector of specs that have none: reports to the generator's own model the issues of its output. */
export async function runBuiltInRevision(
  generator: ModelCallStep,
  input: StepArguments,
  revision: Revision,
  context: StepContext,
): Promise<StepOutcome> {
  const messages = await messagesOf(generator, input, revision);
  // Edits and advice have a form of their own.
  const isWhole = !revision.advice && revision.strategy !== 'targeted_edit';
  const { extract: _extract, ...plain } = generator;
  const step = isWhole ? generator : { ...plain, reply: false as const };
  const result = await callModel(messages, step, input, context);
  if (result.toolCalls || revision.advice) return result;
  return readRevision(result, { output: revision.output, asked: ASKED[revision.strategy ?? 'full_rewrite'] });
}

async function messagesOf(step: ModelCallStep, input: StepArguments, revision: Revision): Promise<CallMessages> {
  const limits = [step.maxTokens, input.maxTokens].filter((limit) => limit !== undefined);
  // The request for a revision has a section of its own for the reviewer's guidance.
  const { reflection_guidance: _guidance, ...state } = input.state;
  const isNew = revision.strategy === 'resample';
  const request = await renderCall(step, isNew ? input : { ...input, state });
  return revisionMessages(request, revision, {
    isJson: isJson(step, input, revision),
    maxTokens: limits.length > 0 ? Math.min(...limits) : undefined,
  });
}

function isJson({ reply }: ModelCallStep, { outputSchema }: StepArguments, { output, issues }: Revision): boolean {
  if (outputSchema !== undefined || (reply !== undefined && reply !== false)) return true;
  return (typeof output === 'object' && output !== null) || issues.some(({ type }) => type === 'json');
}

/** Characters and parts of what the event loop reads itself: some milliseconds. */
const SMALL = 30_000;

const readReply = offload({
  file: require.resolve('./revised-reply'),
  name: revisedOutput.name,
  run: revisedOutput,
  isSmall: (revised) => isLighterThan(SMALL, revised),
  key: ({ reply }) => reply,
});

async function readRevision(
  result: StepOutcome,
  { output: before, asked }: Pick<RevisedReply, 'output' | 'asked'>,
): Promise<StepOutcome> {
  const { output: reply, warnings, faults = [] } = result;
  if (typeof reply !== 'string') return result;
  const read = await readReply({ reply, output: before, asked }).catch((error: unknown) => {
    if (!(error instanceof TimeLimitExceeded)) throw error;
    return { problem: `to read it ${error.message}` };
  });
  if ('problem' in read) {
    return asked === 'edits' ? { ...result, output: null, unappliedEdit: read.problem } : result;
  }
  const all = [...faults, ...read.faults];
  const { reply: kept, ...rest } = result;
  // Edits are no output: a revision that goes on from them shows the model what they made.
  const said = kept && read.isWhole ? replyToKeep(reply, read.output) : kept;
  return {
    ...rest,
    output: read.output,
    ...(said && { reply: said }),
    warnings: [...warnings, ...read.warnings],
    ...(asked === 'edits' && read.isWhole && { strategy: 'full_rewrite' as const }),
    ...(all.length > 0 && { faults: all }),
  };
}

/** The output in a corrector's reply, if a model was asked with a prompt of the author's own and shown the output. */
export async function readCorrection(
  step: Step,
  { state }: Pick<StepArguments, 'state'>,
  result: StepOutcome,
): Promise<StepOutcome> {
  const before = state['reflection_output'];
  const isHint = (step as Corrector).mode === 'hint';
  if (!isModelCall(step) || isHint || result.toolCalls || before === undefined) return result;
  return readRevision(result, { output: before, asked: 'by author' });
}
