import type { WorkflowRequest } from '../../src/loop/moves/called-workflow';

/** What the SDK runs for every workflow type: a type may have the longest name. It answers what it is called for. */
// oxlint-disable-next-line no-default-export
export default async function answers({ part, iteration }: WorkflowRequest): Promise<unknown> {
  return part === 'evaluate' ? { pass: false, score: 0.5, issues: ['It is not long enough.'] } : { written: iteration };
}
