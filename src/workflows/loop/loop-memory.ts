import type { KeepInput } from '../../activities/memory/protocol';
import { textOf } from '../../lib/json/json';
import { listLoopInsights } from '../../loop/memory/loop-insights';
import { warnAfterwards, keepRecalled } from '../../loop/state/notes';
import type { Move } from '../../loop/moves/next-move';
import { recordUsage } from '../../loop/state/unfinished-iteration';
import type { LoopRun } from './loop-run';
import { callKeep, callRecall } from '../shared/memory-calls';

const QUERY_LENGTH = 4_000;

export function wantsToRecall({ spec, state }: LoopRun, move: Move): boolean {
  return spec.memory !== undefined && move.kind === 'draft' && state.recalled === undefined;
}

export async function recallForLoop({ spec, state }: LoopRun): Promise<void> {
  const { agent, recall } = spec.memory!;
  keepRecalled(state, []);
  if (recall === 0) return;
  const about = [spec.name, spec.task, ...Object.values(spec.state).map(textOf)].filter((text) => text);
  const query = about.join(' ').slice(0, QUERY_LENGTH);
  const { value, warning } = await callRecall(spec.settings, { agent, query, limit: recall });
  keepRecalled(state, value);
  if (warning !== undefined) recordUsage(state, { warnings: [warning] });
}

export function insightsOfLoop({ spec, state }: LoopRun): KeepInput['insights'] {
  if (!spec.memory?.store) return [];
  const iteration = state.versions.at(-1)?.iteration ?? 0;
  return listLoopInsights(spec, state).map((insight) => ({ ...insight, iteration }));
}

export async function keepInsights({ spec, state }: LoopRun, insights: KeepInput['insights']): Promise<void> {
  const { agent, expiresAfter } = spec.memory!;
  const tags = [state.stopped!.reason];
  const kept = { agent, type: 'loop', source: 'reflection', tags, insights, expiresAfter };
  const { warning } = await callKeep(spec.settings, kept, state.stopped!.reason === 'aborted');
  if (warning !== undefined) warnAfterwards(state, warning);
}
