import type { z } from 'zod';
import type { AgentReflectionSpec } from '../../domain/agents/population';
import type { Assert, SameType } from '../../domain/base/same-type';
import type {
  CorrectParameters,
  EvaluateParameters,
  PipelineSettings,
  PipelineSpec,
} from '../../domain/pipeline/pipeline';
import type { PlanSpec } from '../../domain/plan/plan-spec';
import type { ReflectionCriteria } from '../../domain/reflector/criteria';
import type { Plan, Task } from '../../domain/reflector/types';
import type { ReflectionConfig } from '../../domain/spec/agent-config';
import type { CorrectionError, CorrectionRequest, EvaluationRequest } from '../../domain/step-state/standalone';
import type { reflectionConfig } from './agent-config';
import type { agentSpecSchema } from './agents';
import type { correctParameters, evaluateParameters, pipelineSchema } from './pipeline';
import type { criteriaForm, planForm, planSpecForm, taskForm } from './plan';
import type { correctionError, correctionRequest, evaluationRequest } from './standalone';

/** Intersections written out, in depth. */
type Flat<T> = T extends object ? { [K in keyof T]: Flat<T[K]> } : T;

type Agents = z.input<typeof agentSpecSchema>;
type AgentsConfig<T extends { config?: { reflection: unknown } }> = Flat<NonNullable<T['config']>>;
type Pipeline = z.output<typeof pipelineSchema>;

/**
 * Does not compile when a schema and its interface differ, in either direction. What is checked by hand, form by form, is
 * left out: nodes of a pipeline, steps of a task.
 */
export type SpecSchemasFit = [
  Assert<SameType<z.output<typeof evaluateParameters>, EvaluateParameters>>,
  Assert<SameType<z.output<typeof correctParameters>, CorrectParameters>>,
  Assert<SameType<Omit<Pipeline, 'nodes'>, Omit<PipelineSpec, 'nodes'>>>,
  Assert<SameType<NonNullable<Pipeline['settings']>, PipelineSettings>>,
  Assert<SameType<Omit<z.output<typeof taskForm>, 'step'>, Omit<Task, 'step'>>>,
  Assert<SameType<Omit<z.output<typeof planForm>, 'tasks'>, Omit<Plan, 'tasks'>>>,
  Assert<SameType<Omit<z.output<typeof planSpecForm>, 'plan'>, Omit<PlanSpec, 'plan'>>>,
  Assert<SameType<z.output<typeof criteriaForm>, Partial<ReflectionCriteria>>>,
  Assert<SameType<Omit<Agents, 'config'>, Omit<AgentReflectionSpec, 'config'>>>,
  Assert<SameType<AgentsConfig<Agents>, AgentsConfig<AgentReflectionSpec>>>,
  Assert<SameType<z.output<typeof reflectionConfig>, ReflectionConfig>>,
  Assert<SameType<z.output<typeof evaluationRequest>, EvaluationRequest>>,
  Assert<SameType<z.output<typeof correctionRequest>, CorrectionRequest>>,
  Assert<SameType<z.output<typeof correctionError>, CorrectionError>>,
];
