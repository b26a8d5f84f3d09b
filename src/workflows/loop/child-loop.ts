import { executeChild } from '@temporalio/workflow';
import type { CheckedBefore } from '../../loop/spec/checked-before';
import type { ReflectionResult } from '../../loop/contract/results';
import { WHERE_PAGES_ARE_KEPT } from '../../loop/page/kept-page';
import { renderSummaryLine } from '../../loop/page/run-page';
import { LONGEST_ID_BYTES } from '../../lib/names/protocol-text';
import { utf8Bytes } from '../../lib/json/json-bytes';
import type { ReflectionSpec } from '../../loop/contract/spec';
import type { InputLimit } from '../../lib/limits/payload-limit';
import { queueCall } from '../shared/scheduling';
import { permanentFailure } from '../shared/step-failure';
import type { reflectionLoop } from './reflection-loop';

/**
 * Runs a loop as a run of its own.
 * @param workflowId begins with that of this run
 * @throws ApplicationFailure `StepFailed` for an id that is too long, `OutputTooLarge`; ChildWorkflowFailure
 */
export async function runChildLoop(
  workflowId: string,
  spec: ReflectionSpec,
  limit: InputLimit,
  before: CheckedBefore | undefined,
): Promise<ReflectionResult> {
  if (utf8Bytes(workflowId) > LONGEST_ID_BYTES) {
    const message = `the id of the loop's run, "…${workflowId.slice(-100)}", would be too long: start this run with a shorter id`;
    throw permanentFailure('StepFailed', message);
  }
  const args: Parameters<typeof reflectionLoop> = before ? [spec, before] : [spec];
  const options = {
    workflowId,
    args,
    staticSummary: renderSummaryLine(spec),
    staticDetails: WHERE_PAGES_ARE_KEPT,
    // The children of a run that was ended from outside would go on, and cost, with no caller left.
    parentClosePolicy: 'REQUEST_CANCEL' as const,
  };
  return queueCall('reflectionLoop', args, limit, () => executeChild<typeof reflectionLoop>('reflectionLoop', options));
}
