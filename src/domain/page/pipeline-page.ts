import { spendingText } from '../limits/budget';
import type { PipelineSpec } from '../pipeline/pipeline';
import type { NodeProgress, NodeStatus, PipelineState } from '../pipeline/pipeline-progress';
import { plain } from './run-page';
import { durationText, summaryText } from '../text/summary-text';

const MARK: Record<NodeStatus, string> = { waiting: '·', running: '▶', done: '✅', failed: '❌' };
const KEYS = 30;

/** In a list: columns of a table stand without a gap in the Web UI. */
function line({ name, action, status, ms, outcome, workflowId }: NodeProgress, index: number): string {
  const parts = [
    plain(action, 40),
    ...(outcome === undefined ? [] : [plain(outcome, 60)]),
    ...(ms === undefined ? [] : [durationText(ms)]),
    ...(workflowId === undefined ? [] : [plain(workflowId, 120)]),
  ];
  return `- ${MARK[status]} ${index + 1}, ${plain(name, 60)}: ${parts.join(' · ')}`;
}

/** The line that says where a pipeline stands. */
export function pipelineStatusLine({ phase, nodes }: PipelineState): string {
  const at = nodes.findIndex(({ status }) => status === 'running' || status === 'failed');
  const current = nodes[at];
  const place = current ? `node ${at + 1} of ${nodes.length}, ${plain(current.name, 60)}` : '';
  switch (phase) {
    case 'preparing':
      return 'Checking the pipeline';
    case 'running':
      return current
        ? `Running ${place}`
        : `${nodes.filter(({ status }) => status === 'done').length} of ${nodes.length} nodes done`;
    case 'failed':
      return `Failed at ${place}`;
    default:
      return `Ended: all ${nodes.length} nodes done`;
  }
}

/** The pipeline's current details in Markdown, for the Temporal Web UI. */
export function pipelinePage(state: PipelineState, summary: string): string {
  const lines = [`**${pipelineStatusLine(state)}**`, '', summary];
  const failed = state.nodes.find(({ error }) => error !== undefined);
  if (failed?.error !== undefined) lines.push('', plain(failed.error, 400));
  lines.push('', ...state.nodes.map(line));
  // What loops say of themselves is in the state whenever there is a loop.
  const keys = Object.keys(state.state).filter((key) => !key.startsWith('reflection_'));
  if (keys.length > 0) {
    const shown = keys.slice(0, KEYS).map((key) => plain(key, 40));
    lines.push('', `State: ${shown.join(', ')}${keys.length > KEYS ? `, and ${keys.length - KEYS} more keys` : ''}`);
  }
  lines.push('', spendingText(state.tokenUsage, undefined));
  for (const { name, warnings } of state.nodes) {
    for (const warning of warnings) lines.push('', `- ${plain(name, 60)}: ${plain(warning, 200)}`);
  }
  for (const text of state.refused ?? []) lines.push('', `- ${plain(text, 300)}`);
  const running = state.nodes.find(({ status, workflowId }) => status === 'running' && workflowId !== undefined);
  if (running)
    lines.push('', `Signals such as \`accept\` and \`abort\` go to the loop: ${plain(running.workflowId!, 120)}`);
  return lines.join('\n');
}

/** One line about a pipeline, as the run list shows it. */
export function pipelineSummary({ name, nodes }: Pick<PipelineSpec, 'name' | 'nodes'>): string {
  return summaryText(`${plain(name ?? 'pipeline', 60)} · ${nodes.length} ${nodes.length === 1 ? 'node' : 'nodes'}`);
}
