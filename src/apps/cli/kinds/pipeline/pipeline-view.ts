import pc from 'picocolors';
import type { ReflectionClient } from '../../../../client';
import type { PipelineSpec } from '../../../../kinds/pipeline/contract/pipeline';
import { type JsonObject, textOf } from '../../../../lib/json/json';
import type { Teller } from '../../follow/follow-parts';
import { makeFollow, makeShow, type RunView } from '../../show/run-view';
import type {
  PipelineResult,
  NodeProgress,
  NodeStatus,
  PipelineProgress,
} from '../../../../kinds/pipeline/contract/pipeline-results';
import { withoutAttachments } from '../../../../lib/text/attachment-text';
import { count, oneLine, printable, seconds } from '../../views/printable';
import { plainTable } from '../../terminal/table';
import { costText } from '../../views/result-view';

const STATUS: Record<NodeStatus, string> = {
  waiting: pc.dim('waiting'),
  running: pc.cyan('running'),
  done: pc.green('✓ done'),
  failed: pc.red('✗ failed'),
};

export function nodeStartLine({ name, action }: NodeProgress, index: number, total: number): string {
  return `${pc.bold(`${index + 1}/${total} ${oneLine(name, 60)}`)}  ${pc.dim(oneLine(action, 60))}`;
}

export function nodeEndLines({ status, outcome, ms = 0, error, warnings }: NodeProgress): string[] {
  const how = outcome === undefined ? '' : ` · ${oneLine(outcome, 80)}`;
  return [
    `  ${STATUS[status]}${how} · ${seconds(ms)}`,
    ...(error === undefined ? [] : [`  ${pc.red(oneLine(error, 300))}`]),
    ...warnings.map((warning) => `  ${pc.yellow('!')} ${oneLine(warning)}`),
  ];
}

export function nodeTable(nodes: readonly NodeProgress[]): string {
  const rows = nodes.map(({ name, action, status, outcome, ms, workflowId }, index) => [
    index + 1,
    oneLine(name, 40),
    oneLine(action, 30),
    STATUS[status],
    oneLine(outcome ?? '–', 50),
    ms === undefined ? '–' : seconds(ms),
    workflowId === undefined ? '–' : oneLine(workflowId, 120),
  ]);
  return plainTable(['#', 'node', 'runs', 'status', 'outcome', 'took', 'run'], rows, {
    whole: ['run', 'took', 'status'],
    spare: ['runs', 'run'],
  });
}

/** Renders the state for the terminal: what loops report of themselves is long, and left to --json. */
export function stateText(state: JsonObject): string {
  const entries = Object.entries(state);
  const shown = entries.filter(([key]) => !key.startsWith('reflection_'));
  const hidden = entries.length - shown.length;
  const more = hidden === 0 ? [] : [pc.dim(`and ${count(hidden, 'key')} reflection_…, which --json shows`)];
  return [printable(textOf(withoutAttachments(Object.fromEntries(shown)))), ...more].join('\n');
}

/**
 * Describes the progress of a pipeline without a result.
 * @param elapsed since it began; undefined when it has failed
 */
export function pipelineStanding(
  { nodes, state, tokenUsage }: PipelineProgress,
  elapsed: string | undefined,
): string[] {
  const done = nodes.filter(({ status }) => status === 'done').length;
  const standing = [
    `${done} of ${count(nodes.length, 'node')} done`,
    ...(elapsed ? [elapsed] : []),
    costText(tokenUsage),
  ];
  return [standing.join(' · '), '', nodeTable(nodes), '', pc.bold('State so far'), stateText(state ?? {})];
}

export function pipelineText({ state, nodes }: PipelineResult, progress: PipelineProgress | undefined): string {
  const ms = nodes.reduce((sum, node) => sum + node.ms, 0);
  const cost = progress ? [costText(progress.tokenUsage)] : [];
  const known =
    progress?.nodes ??
    nodes.map(({ name, ms: took, workflowId, warnings = [] }): NodeProgress => ({
      name,
      action: '–',
      status: 'done',
      ms: took,
      workflowId,
      warnings,
    }));
  const head = [pc.green(`✓ ${count(nodes.length, 'node')} done`), seconds(ms), ...cost].join(' · ');
  return [head, '', nodeTable(known), '', pc.bold('State'), stateText(state)].join('\n');
}

/** Describes in a few words what a pipeline does now. */
function pipelineDoing({ phase, nodes }: PipelineProgress): string {
  const at = nodes.findIndex(({ status }) => status === 'running');
  return at < 0 ? phase : `${at + 1}/${nodes.length} ${oneLine(nodes[at]!.name, 40)}`;
}

export function pipelineTeller(narrator: Teller): (progress: PipelineProgress) => Promise<void> {
  const told = new Map<string, NodeProgress['status']>();
  return async ({ nodes }) => {
    for (const [index, node] of nodes.entries()) {
      const before = told.get(node.name);
      if (node.status === 'waiting' || before === 'done' || before === 'failed') continue;
      if (before === undefined) narrator.write([nodeStartLine(node, index, nodes.length)]);
      told.set(node.name, node.status);
      if (node.workflowId !== undefined) await narrator.tellVersions(node.workflowId);
      if (node.status !== 'running') narrator.write(nodeEndLines(node));
    }
  };
}

const runsWithoutState = ({ pipelines }: ReflectionClient) => ({
  result: (id: string) => pipelines.result(id),
  progress: (id: string) => pipelines.progress(id, { state: false }),
});

export const pipelineView: RunView<PipelineSpec> = {
  cancelled: ', and with it the loop that is under way',
  part: 'node',
  shown: makeShow(({ pipelines }) => pipelines, {
    output({ result, progress }) {
      const state = result?.state ?? progress?.state;
      return state && textOf(state);
    },
    noOutput: () => ['Nobody knows the state of the run.', 'Look at the run without --output.'],
    resultText: pipelineText,
    standing: (progress, { elapsed }) => pipelineStanding(progress, elapsed),
  }),
  name: (spec) => spec.name ?? 'pipeline',
  follow: makeFollow(runsWithoutState, {
    teller: pipelineTeller,
    doing: pipelineDoing,
    usage: ({ tokenUsage }) => tokenUsage,
    busyRun: ({ nodes }: PipelineProgress) => nodes.find(({ status }) => status === 'running')?.workflowId,
    isGood: ({ state }) => state['success'] !== false,
    resultText: pipelineText,
  }),
};
