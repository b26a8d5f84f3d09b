import type { ChainRecord, TortureRecord } from '../record';
import { inOrder } from './chain';
import type { Violation } from './violation';

function endsOf({ workflowId: where, ...chain }: ChainRecord): Violation[] {
  const first = chain.runs.filter((run) => run.continued === undefined);
  if (first.length !== 1) return [{ invariant: 'doubled', where, message: `it was started ${first.length} times` }];
  const ordered = inOrder({ workflowId: where, ...chain });
  if (ordered.length !== chain.runs.length) {
    return [{ invariant: 'doubled', where, message: 'two runs continue the same run' }];
  }
  const early = ordered.slice(0, -1).find((run) => run.end?.kind !== 'continuedAsNew');
  if (early) return [{ invariant: 'doubled', where, message: `run ${early.runId} ended and was continued` }];
  const end = ordered.at(-1)!.end;
  if (!end) return [{ invariant: 'stuck', where, message: 'it did not end' }];
  if (end.kind === 'completed' && end.result) return [];
  return [{ invariant: 'lost', where, message: `it ended as ${end.kind}${end.message ? `: ${end.message}` : ''}` }];
}

/** Every acknowledged start ends exactly once; so does every other start that was taken. */
export function checkEnds({ loops, chains }: TortureRecord): Violation[] {
  const started = new Set(chains.map((chain) => chain.workflowId));
  const lost = loops.filter((loop) => loop.acknowledgedAt !== undefined && !started.has(loop.workflowId));
  return [
    ...lost.map(({ workflowId }): Violation => {
      return { invariant: 'lost', where: workflowId, message: 'its start was acknowledged, and no run is there' };
    }),
    ...chains.flatMap(endsOf),
  ];
}
