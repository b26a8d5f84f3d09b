import type { ModelCallStep } from '../domain/spec';
import { callModel, renderCall } from './llm-call';
import { revisionPrompt } from './revision-prompt';
import type { Revision, StepContext, StepInput, StepResult } from './types';

/** The corrector of specs that have none: the generator's own model is told what is wrong with its output. */
export async function runBuiltInRevision(
  generator: ModelCallStep,
  input: StepInput,
  revision: Revision,
  context: StepContext,
): Promise<StepResult> {
  // The revision prompt has a place of its own for what the reviewer said.
  const { reflection_guidance: _guidance, ...state } = input.state;
  const request = renderCall(generator, { ...input, state });
  return callModel({ ...request, messages: revisionPrompt(request, revision) }, generator, input, context);
}
