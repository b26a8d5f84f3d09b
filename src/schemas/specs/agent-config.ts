import { z } from 'zod';
import { reflectionConfig } from '../../contract/agents';
import { MAXIMUM_REPLANS } from '../../domain/base/maxima';
import type { FileConfig, PlanConfig } from '../../domain/spec/agent-config';
import type { SpecProblem } from '../../domain/base/spec-problem';
import { formProblems } from './spec';

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
