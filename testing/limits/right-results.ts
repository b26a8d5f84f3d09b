import type { AgentReflectionReport } from '../../src/kinds/agents/contract/agent-results';
import type { ReflectionEvaluation } from '../../src/loop/contract/evaluation';
import { isJsonObject, type Json, type JsonObject } from '../../src/lib/json/json';
import type { PipelineNode, PipelineSpec } from '../../src/kinds/pipeline/contract/pipeline';
import type { PipelineResult } from '../../src/kinds/pipeline/contract/pipeline-results';
import type { PlanRunResult } from '../../src/kinds/plan/contract/plan-results';
import type { PlanSpec } from '../../src/kinds/plan/contract/plan';
import type { ReflectionResult, CorrectionResult } from '../../src/loop/contract/results';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import type { Step } from '../../src/loop/contract/steps';
import type { CorrectionRequest, EvaluationRequest } from '../../src/loop/contract/requests';
import type { LimitCase, WorkflowType } from './limit-case';
import type { InsideResult } from './own-workflows';
import { chosenOfEqual, judgesAlike, wrongInLoop, wrongOutput } from './right-loops';
import { neverPasses, notAsScripted, scriptedBytes } from './script-of-steps';

type Wrong = readonly (string | false | undefined)[];

function inEvaluation(result: ReflectionEvaluation, { evaluator }: EvaluationRequest): Wrong {
  const asked = [evaluator].flat();
  const hasGate = asked.some(({ gate }) => gate);
  return [
    !hasGate &&
      result.evaluators.length !== asked.length &&
      `${result.evaluators.length} of ${asked.length} evaluators judged`,
    result.satisfactory !== (result.outcome === 'pass') &&
      `${result.outcome}, and satisfactory is ${result.satisfactory}`,
    asked.some(neverPasses) && result.outcome === 'pass' && 'it passed, and one evaluator refuses everything',
    asked.some(({ type }) => type === 'function') &&
      asked.some(neverPasses) &&
      result.issues.length === 0 &&
      'it has no issues',
  ];
}

function inCorrection({ output }: CorrectionResult, { corrector }: CorrectionRequest): Wrong {
  return [notAsScripted(corrector, 1, output)];
}

/** The state of a loop in a pipeline or a plan, whose versions are all judged alike. */
function inLoopState(state: Json | undefined, spec: ReflectionSpec): string | undefined {
  if (!judgesAlike(spec) || !isJsonObject(state)) return undefined;
  const used = Number(state['reflection_iteration']);
  if (state['success'] !== false) return `a loop of it is a success, and nothing can pass`;
  return wrongOutput(spec, chosenOfEqual(spec, used), state['reflection_output'] ?? null);
}

function inNode(node: PipelineNode, state: JsonObject): string | undefined {
  const { output, uses, with: given = {} } = node as PipelineNode & { output?: string; uses?: string; with?: Json };
  if (output === undefined || uses === undefined) return undefined;
  const value = state[output];
  if (value === undefined) return `its state has no ${output}`;
  if (uses === 'reflection.loop') return inLoopState(value, given as unknown as ReflectionSpec);
  if (uses.startsWith('reflection.')) return undefined;
  return notAsScripted({ action: uses, with: given }, 1, value);
}

function inPipeline({ state, nodes }: PipelineResult, spec: PipelineSpec): Wrong {
  const named = new Set(nodes.map(({ name }) => name));
  // Of several nodes that write the same, the last one in the order of the run is seen.
  const order = nodes.map(({ name }) => name);
  const writers = new Map(
    [...spec.nodes]
      .sort((first, second) => order.indexOf(first.name) - order.indexOf(second.name))
      .map((node) => [(node as { output?: string }).output ?? node.name, node]),
  );
  return [
    ...spec.nodes.map(({ name }) => !named.has(name) && `node ${name} was not run`),
    ...[...writers.values()].map((node) => inNode(node, state)),
  ];
}

/** Where not all outputs of a plan fit, a text stands for one and tells its bytes. */
function isLeftOut(step: Step, output: Json): boolean {
  const bytes = /^\((\d+) bytes of output are left out\)$/.exec(String(output))?.[1];
  return bytes !== undefined && Number(bytes) === scriptedBytes(step, 1);
}

function inPlan({ success, plan, results, replans }: PlanRunResult, spec: PlanSpec): Wrong {
  const done = new Map(results.map((result) => [result.taskId, result]));
  const failed = plan.tasks.filter(({ id }) => done.get(id)?.success !== true);
  return [
    replans > (spec.maxReplanningAttempts ?? 2) && `it was replanned ${replans} times`,
    success && failed.length > 0 && `a success, and ${failed.length} of its tasks are not`,
    ...plan.tasks.map(({ id, step }) => {
      const result = done.get(id);
      if (!result?.success || result.output === undefined || result.output === null) return undefined;
      return 'loop' in step
        ? inLoopState(result.output, step.loop as unknown as ReflectionSpec)
        : 'action' in step && !isLeftOut(step, result.output) && notAsScripted(step, 1, result.output);
    }),
  ];
}

function inReport({ agents, counts, reflections, omitted }: AgentReflectionReport, spec: JsonObject): Wrong {
  const asked = (spec['agents'] as Json[]).length;
  return [
    agents !== asked && `${agents} of ${asked} agents`,
    reflections.length + omitted.reflections !== counts.reflections &&
      `${reflections.length} reflections and ${omitted.reflections} omitted of ${counts.reflections}`,
  ];
}

/** What the loops inside of another workflow tell of themselves. */
function inside(results: InsideResult[], specs: ReflectionSpec[]): Wrong {
  return [
    results.length !== specs.length && `${results.length} results of ${specs.length} loops`,
    ...results.map(({ reason, used, chosen, output }, index) => {
      const spec = specs[index]!;
      const isWhole = reason === 'error' || (reason === 'max_iterations' && used === (spec.maxIterations ?? 3));
      if (!isWhole) return `loop ${index}: ${reason} after ${used} iterations`;
      if (judgesAlike(spec) && chosen !== chosenOfEqual(spec, used))
        return `loop ${index}: iteration ${chosen} is chosen`;
      return wrongOutput(spec, chosen ?? 1, output.head.padEnd(output.characters, output.rest));
    }),
  ];
}

/** What is compared, by the workflow that it belongs to. */
interface Compared {
  reflectionLoop: [ReflectionResult, ReflectionSpec];
  reflectionEvaluate: [ReflectionEvaluation, EvaluationRequest];
  reflectionCorrect: [CorrectionResult, CorrectionRequest];
  reflectionPipeline: [PipelineResult, PipelineSpec];
  planReflection: [PlanRunResult, PlanSpec];
  agentReflection: [AgentReflectionReport, JsonObject];
  reflectsInside: [InsideResult[], ReflectionSpec[]];
}

const CHECKS: { [Type in WorkflowType]: (...compared: [...Compared[Type], LimitCase]) => Wrong } = {
  reflectionLoop: (result, spec, { reasons }) => wrongInLoop(result, { spec, ...(reasons ? { reasons } : {}) }),
  reflectionEvaluate: inEvaluation,
  reflectionCorrect: inCorrection,
  reflectionPipeline: inPipeline,
  planReflection: inPlan,
  agentReflection: inReport,
  reflectsInside: inside,
};

/** In what the result of a case is not right, as far as the script of its steps says what would be. */
export function wrongResult(limitCase: LimitCase, result: unknown): string[] {
  const check = CHECKS[limitCase.workflow] as (result: unknown, argument: unknown, limitCase: LimitCase) => Wrong;
  return check(result, limitCase.argument, limitCase).filter((text) => typeof text === 'string');
}
