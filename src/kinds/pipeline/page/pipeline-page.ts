import { spendingText } from '../../../loop/limits/budget';
import type { PipelineSpec } from '../contract/pipeline';
import type { PipelineState } from '../state/pipeline-progress';
import type { NodeProgress, NodeStatus } from '../contract/pipeline-results';
import { escapeMarkdown, joinParagraphs, renderSignalsText } from '../../../loop/page/markdown';
import { durationText, summaryText } from '../../../lib/text/summary-text';
import { renderCount } from '../../../lib/text/counted';

const MARK: Record<NodeStatus, string> = { waiting: '·', running: '▶', done: '✅', failed: '❌' };
const KEYS = 30;

function line({ name, action, status, ms, outcome, workflowId }: NodeProgress, index: number): string {
  const what = [
    escapeMarkdown(action, 40),
    outcome && escapeMarkdown(outcome, 60),
    ms === undefined ? undefined : durationText(ms),
    workflowId && escapeMarkdown(workflowId, 120),
  ];
  const parts = what.filter((part) => part !== undefined);
  return `- ${MARK[status]} ${index + 1}, ${escapeMarkdown(name, 60)}: ${parts.join(' · ')}`;
}

export function renderPipelineStatus({ phase, nodes }: PipelineState): string {
  const at = nodes.findIndex(({ status }) => status === 'running' || status === 'failed');
  const current = nodes[at];
  const place = current ? `node ${at + 1} of ${nodes.length}, ${escapeMarkdown(current.name, 60)}` : '';
  switch (phase) {
    case 'preparing':
      return 'Checking the pipeline';
    case 'running':
      return current
        ? `Running ${place}`
        : `${nodes.filter(({ status }) => status === 'done').length} of ${renderCount(nodes.length, 'node')} done`;
    case 'failed':
      return `Failed at ${place}`;
    default:
      return `Ended: ${nodes.length === 1 ? '' : 'all '}${renderCount(nodes.length, 'node')} done`;
  }
}

export function renderPipelinePage(state: PipelineState, summary: string): string {
  const { nodes, refused = [] } = state;
  const failed = nodes.find(({ error }) => error !== undefined);
  // The keys that loops leave are in the state whenever there is a loop.
  const keys = Object.keys(state.state).filter((key) => !key.startsWith('reflection_'));
  const shown = keys.slice(0, KEYS).map((key) => escapeMarkdown(key, 40));
  const more = keys.length > KEYS ? `, and ${renderCount(keys.length - KEYS, 'more key')}` : '';
  const running = nodes.find(({ status, workflowId }) => status === 'running' && workflowId !== undefined);
  return joinParagraphs([
    `**${renderPipelineStatus(state)}**`,
    summary,
    failed?.error && escapeMarkdown(failed.error, 400),
    nodes.map(line),
    keys.length > 0 && `State: ${shown.join(', ')}${more}`,
    spendingText(state.tokenUsage, undefined),
    ...nodes.flatMap(({ name, warnings }) =>
      warnings.map((warning) => `- ${escapeMarkdown(name, 60)}: ${escapeMarkdown(warning, 200)}`),
    ),
    ...refused.map((text) => `- ${escapeMarkdown(text, 300)}`),
    running && renderSignalsText(running.workflowId!),
  ]);
}

export function renderPipelineSummary({ name, nodes }: Pick<PipelineSpec, 'name' | 'nodes'>): string {
  return summaryText(`${escapeMarkdown(name ?? 'pipeline', 60)} · ${renderCount(nodes.length, 'node')}`);
}
