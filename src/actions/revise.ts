import type { ModelCallStep } from '../domain/spec';
import { callModel, renderCall } from './llm-call';
import { editedOutput } from './revision-edits';
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
  const messages = revisionPrompt(request, revision);
  const result = await callModel({ ...request, messages }, generator, input, context);
  return revision.strategy === 'targeted_edit' && !result.toolCalls ? applied(result, revision) : result;
}

/** The output that the reply's edits make. A reply without edits is a whole output, as if it had been asked for one. */
function applied(result: StepResult, { output }: Revision): StepResult {
  if (typeof result.output !== 'string') return result;
  const edited = editedOutput(result.output, output);
  if (edited === 'whole') return { ...result, strategy: 'full_rewrite' };
  return 'problem' in edited
    ? { ...result, output: null, unappliedEdit: edited.problem }
    : { ...result, output: edited.output };
}
