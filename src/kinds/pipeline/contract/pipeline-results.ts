import { z } from 'zod';
import type { Infer } from '../../../lib/contract/infer';
import { count, jsonObject, optional, retrying, tokenUsage } from '../../../lib/contract/values';

// Results of pipelines; they may gain fields.

export const nodeReport = z.object({
  name: z.string().describe('Name of the node.'),
  ms: count.describe('Milliseconds that it took, waiting included.'),
  workflowId: optional(z.string(), 'Id of the run of a `reflection.loop` node.'),
  warnings: optional(
    z.array(z.string()),
    'Absent if there are none. An example is a variable that its templates name and the state lacks.',
  ),
});

/** The report on one node of a pipeline. */
export interface NodeReport extends Infer<typeof nodeReport> {}

export const pipelineResult = z.object({
  state: jsonObject.describe('The state after the last node.'),
  nodes: z.array(nodeReport).describe('Report of each node, in order.'),
});

/** The result of `reflectionPipeline`. */
export interface PipelineResult extends Infer<typeof pipelineResult> {}

const nodeStatus = z.enum(['waiting', 'running', 'done', 'failed']);
export type NodeStatus = z.infer<typeof nodeStatus>;

export const nodeProgress = z.object({
  name: z.string().describe('Name of the node.'),
  action: z.string().describe('What it runs: the name of an action or a workflow, or `run` for inline code.'),
  status: nodeStatus.describe('Status of the node.'),
  ms: optional(count, 'Milliseconds that it took; present once it ended.'),
  workflowId: optional(z.string(), 'Id of the run of a loop; present once it has started.'),
  outcome: optional(z.string(), 'Why a loop ended, or the outcome of an evaluation.'),
  error: optional(z.string(), 'Why it failed.'),
  warnings: z.array(z.string()).describe('Warnings for the author of the pipeline.'),
});

/** The progress of one node. */
export interface NodeProgress extends Infer<typeof nodeProgress> {}

export const pipelineProgress = z.object({
  phase: z.enum(['preparing', 'running', 'done', 'failed']).describe('Phase of the pipeline.'),
  nodes: z.array(nodeProgress).describe('Progress of each node, in order.'),
  state: optional(
    jsonObject,
    'The state after the last node that succeeded. Absent if the query says `{ state: false }`.',
  ),
  tokenUsage: tokenUsage.describe('Tokens and cost of the nodes that have ended.'),
  retrying,
});

/** The progress of a pipeline: the answer to its `progress` query, also after it failed. */
export interface PipelineProgress extends Infer<typeof pipelineProgress> {}
