import { z } from 'zod';
import type { PipelineResult } from '../../domain/pipeline/pipeline';
import type { PipelineProgress } from '../../domain/pipeline/pipeline-progress';
import type { Assert, SameType } from '../../domain/base/same-type';
import { count, tokenUsage } from '../../contract/usage';
import { jsonObject } from '../../contract/values';

// What pipelines hand out; they may gain fields.

export const pipelineResultSchema = z.object({
  state: jsonObject,
  nodes: z.array(
    z.object({
      name: z.string(),
      ms: count,
      workflowId: z.string().optional(),
      warnings: z.array(z.string()).optional(),
    }),
  ),
});

export const pipelineProgressSchema = z.object({
  phase: z.enum(['preparing', 'running', 'done', 'failed']),
  nodes: z.array(
    z.object({
      name: z.string(),
      action: z.string(),
      status: z.enum(['waiting', 'running', 'done', 'failed']),
      ms: count.optional(),
      workflowId: z.string().optional(),
      outcome: z.string().optional(),
      error: z.string().optional(),
      warnings: z.array(z.string()),
    }),
  ),
  state: jsonObject.optional(),
  tokenUsage,
});

/** Does not compile when a schema and its interface differ, in either direction. */
export type PipelineResultSchemasFit = [
  Assert<SameType<z.output<typeof pipelineResultSchema>, PipelineResult>>,
  Assert<SameType<z.output<typeof pipelineProgressSchema>, PipelineProgress>>,
];
