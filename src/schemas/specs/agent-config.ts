import { z } from 'zod';
import {
  type FileConfig,
  type PlanConfig,
  REFLECTION_METHODS,
  type ReflectionConfig,
} from '../../domain/spec/agent-config';
import { MOST_AGENTS } from '../../domain/agents/population';
import {
  HIGHEST_WEIGHT,
  MOST_COUNTED,
  MOST_DECISION_TYPES,
  NAME_CHARACTERS,
  SENTENCE_CHARACTERS,
} from '../../domain/base/maxima';
import type { SpecProblem } from '../../domain/base/spec-problem';
import { MAXIMUM_REPLANS } from '../../domain/plan/plan-spec';
import { formProblems } from './spec';
import { share } from '../../contract/values';

const triggers = z.strictObject({
  crisis: z.boolean().default(true),
  periodicInterval: z.int().max(MOST_COUNTED).default(5),
  decisionTypes: z
    .array(z.string().max(NAME_CHARACTERS))
    .max(MOST_DECISION_TYPES)
    .default(['elevate_house', 'buyout_program', 'relocate']),
  institutionalThreshold: z.number().min(0).max(HIGHEST_WEIGHT).default(0.05),
  importanceThreshold: z.number().positive().max(HIGHEST_WEIGHT).optional(),
  afterFailure: z.boolean().optional(),
});

/** What stands under `reflection` of a configuration, with every default. */
export const reflectionConfig = z.strictObject({
  interval: z.int().max(MOST_COUNTED).default(1),
  batchSize: z.int().min(1).max(MOST_AGENTS).default(10),
  importanceBoost: share.default(0.85),
  method: z.enum(REFLECTION_METHODS).default('hybrid'),
  critics: z.array(z.string().min(1).max(SENTENCE_CHARACTERS)).max(9).optional(),
  triggers: triggers.prefault({}),
}) satisfies z.ZodType<ReflectionConfig>;

const plan = z.strictObject({
  enableReflection: z.boolean().default(true),
  maxReplanningAttempts: z.int().min(0).max(MAXIMUM_REPLANS).default(2),
}) satisfies z.ZodType<PlanConfig>;

const file = z.strictObject({
  globalConfig: z.strictObject({ reflection: reflectionConfig.optional() }).optional(),
  agent: plan.optional(),
});

/** Reads a configuration file's value, and fills in every default. */
export function parseConfig(value: unknown): { config: FileConfig } | { problems: SpecProblem[] } {
  const result = file.safeParse(value);
  if (!result.success) return { problems: result.error.issues.flatMap((issue) => formProblems(issue, value)) };
  const { globalConfig, agent } = result.data;
  return {
    config: {
      ...(globalConfig?.reflection ? { reflection: globalConfig.reflection } : {}),
      ...(agent ? { plan: agent } : {}),
    },
  };
}
