import type { TurnMark } from '../../../lib/base/turns';
import type { Ruled } from '../../../loop/base/rules';
import { omitUndefined } from '../../../lib/base/defined';
import type { NodeProgress, PipelineProgress, NodeReport, PipelineResult } from '../contract/pipeline-results';
import { reduceToFit } from '../../../lib/json/json-bytes';
import { isJsonObject, type JsonObject } from '../../../lib/json/json';
import { payloadLimit } from '../../../lib/limits/payload-limit';
import { type PipelinePreparation, type PlannedNode } from './pipeline';
import { childId } from '../../../lib/names/child-id';
import type { PipelineSpec } from '../contract/pipeline';
import { shortenText } from '../../../loop/step-state/tools';
import { addUsage, NO_USAGE } from '../../../lib/base/tokens';
import type { TokenUsage } from '../../../lib/contract/values';

export interface PipelineState extends Ruled {
  phase: PipelineProgress['phase'];
  nodes: (NodeProgress & { startedAt?: number })[];
  state: JsonObject;
  /** The keys of the state that nodes wrote. */
  written?: string[];
  tokenUsage: TokenUsage;
  /** The latest messages that were refused because they are for a loop. */
  refused?: string[];
}

/** A pipeline before its first node. An invalid pipeline answers queries, too. */
export function initialPipelineState({ nodes, state }: Partial<PipelineSpec>): PipelineState {
  const known = Array.isArray(nodes) ? nodes : [];
  return {
    phase: 'preparing',
    nodes: known.map((node: unknown) => ({
      name: isJsonObject(node) ? String(node['name']) : '',
      action: isJsonObject(node) ? String(node['action'] ?? node['uses'] ?? node['workflow'] ?? 'run') : '',
      status: 'waiting',
      warnings: [],
    })),
    state: { ...state },
    tokenUsage: NO_USAGE,
  };
}

/** Begins a node. `now`: epoch milliseconds. */
export function startNode(
  state: PipelineState,
  index: number,
  node: PlannedNode,
  pipelineId: string,
  now: number,
): void {
  const entry = state.nodes[index]!;
  state.phase = 'running';
  entry.status = 'running';
  entry.startedAt = now;
  if (node.kind === 'loop') entry.workflowId = childId(pipelineId, node.name);
}

export function finishNode(
  state: PipelineState,
  index: number,
  ended: { state: JsonObject; warnings: readonly string[]; tokenUsage?: TokenUsage; outcome?: string },
  now: number,
): void {
  const entry = state.nodes[index]!;
  entry.status = 'done';
  entry.ms = Math.max(0, now - (entry.startedAt ?? now));
  entry.warnings = [...new Set([...entry.warnings, ...ended.warnings])];
  if (ended.outcome !== undefined) entry.outcome = ended.outcome;
  const before = state.state;
  const written = Object.keys(ended.state).filter(
    (key) => !Object.hasOwn(before, key) || before[key] !== ended.state[key],
  );
  if (written.length > 0) state.written = [...new Set([...(state.written ?? []), ...written])];
  state.state = ended.state;
  state.tokenUsage = addUsage(state.tokenUsage, ended.tokenUsage);
  if (index === state.nodes.length - 1) state.phase = 'done';
}

export function failNode(state: PipelineState, index: number, message: string, now: number): void {
  const entry = state.nodes[index]!;
  entry.status = 'failed';
  entry.ms = Math.max(0, now - (entry.startedAt ?? now));
  entry.error = message;
  state.phase = 'failed';
}

export function pipelineProgress(
  { phase, nodes, state, tokenUsage }: PipelineState,
  question?: { state?: boolean },
): PipelineProgress {
  const told = nodes.map(({ startedAt: _startedAt, ...node }) => node);
  return omitUndefined({ phase, nodes: told, state: question?.state === false ? undefined : state, tokenUsage });
}

function nodeReports({ nodes }: PipelineState): NodeReport[] {
  return nodes.map(({ name, ms = 0, workflowId, warnings }) =>
    omitUndefined({ name, ms, workflowId, warnings: warnings.length === 0 ? undefined : warnings }),
  );
}

const FEW_WARNINGS = 5;

/** The result of a pipeline. Its state was found small enough after each node. */
export function pipelineResultOf(
  state: PipelineState,
  { maximumStateBytes }: Pick<PipelinePreparation, 'maximumStateBytes'>,
): PipelineResult {
  const few = (warnings: readonly string[]): string[] =>
    warnings.slice(0, FEW_WARNINGS).map((warning) => shortenText(warning, 1_000));
  return reduceToFit<PipelineResult>(
    { state: state.state, nodes: nodeReports(state) },
    payloadLimit({ maximumOutputBytes: maximumStateBytes }),
    [
      ({ nodes, ...rest }) => ({
        ...rest,
        nodes: nodes.map((node) => omitUndefined({ ...node, warnings: node.warnings && few(node.warnings) })),
      }),
      ({ nodes, ...rest }) => ({ ...rest, nodes: nodes.map(({ warnings: _warnings, ...node }) => node) }),
    ],
  );
}

export function markOfPipeline({ phase, nodes, state }: PipelineState): TurnMark {
  return [phase, state, ...nodes.map(({ status }) => status)];
}
