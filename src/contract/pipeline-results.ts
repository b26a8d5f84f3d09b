import { z } from 'zod';
import type { Infer } from './infer';
import { count, tokenUsage } from './usage';
import { jsonObject, optional } from './values';

// What pipelines hand out; they may gain fields.

export const nodeReport = z.object({
  name: z.string().describe('Name of the node.'),
  ms: count.describe('Milliseconds that it took, waiting included.'),
  workflowId: optional(z.string(), 'Id of the run that a `reflection.loop` node was.'),
  warnings: optional(
    z.array(z.string()),
    'Present when there are any, such as variables that its templates named and the state had not.',
  ),
});

/** What became of one node. */
export interface NodeReport extends Infer<typeof nodeReport> {}

export const pipelineResult = z.object({
  state: jsonObject.describe('The state after the last node.'),
  nodes: z.array(nodeReport).describe('What became of each node, in order.'),
});

/** The result of `reflectionPipeline`. */
export interface PipelineResult extends Infer<typeof pipelineResult> {}

const nodeStatus = z.enum(['waiting', 'running', 'done', 'failed']);
export type NodeStatus = z.infer<typeof nodeStatus>;

export const nodeProgress = z.object({
  name: z.string().describe('Name of the node.'),
  action: z.string().describe("What it runs: an action's name, or `run` for inline code."),
  status: nodeStatus.describe('Where it stands.'),
  ms: optional(count, 'Milliseconds that it took; present once it ended.'),
  workflowId: optional(z.string(), 'Id of the run that a loop is; present once it started.'),
  outcome: optional(z.string(), 'How a loop ended, or what an evaluation came to.'),
  error: optional(z.string(), 'Why it failed.'),
  warnings: z.array(z.string()).describe('What its author should know.'),
});

/** Where one node stands. */
export interface NodeProgress extends Infer<typeof nodeProgress> {}

export const pipelineProgress = z.object({
  phase: z.enum(['preparing', 'running', 'done', 'failed']).describe('Where the pipeline stands.'),
  nodes: z.array(nodeProgress).describe('Where each node stands, in order.'),
  state: optional(
    jsonObject,
    'The state after the last node that ended well. Left out when the question says `{ state: false }`.',
  ),
  tokenUsage: tokenUsage.describe('What the nodes that ended cost.'),
});

/** Where a pipeline stands: the answer to its `progress` query, after it failed, too. */
export interface PipelineProgress extends Infer<typeof pipelineProgress> {}
