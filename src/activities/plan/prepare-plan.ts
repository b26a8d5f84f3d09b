import { stepMistakes } from '../prepare/step-mistakes';
import { isJsonObject, type Json } from '../../lib/json/json';
import { largeIntegerText } from '../../lib/json/large-integers';
import { largeIntegerIn } from '../../loop/evaluation/output-reading';
import { asKnown } from '../../loop/spec/checked-before';
import { longIdProblems } from '../../kinds/plan/state/plan-order';
import { expandPlan, type PlanPreparation } from '../../kinds/plan/state/plan-spec';
import type { ReflectionSpec } from '../../loop/contract/spec';
import type { Step } from '../../loop/contract/steps';
import { isModelCall } from '../../loop/spec/steps';
import { parsePlan, parsePlanSpec, planSettings } from '../../kinds/plan/parse/plan';
import { specParts } from '../../loop/parse/spec';
import { problemsAsWritten, type MovedPart } from '../../loop/spec/short-form';
import { MAXIMUM_OUTPUT_BYTES } from '../execution/output-size';
import { attemptCheck, checkAnywhere, checkInTurn, knownElsewhereFailure, mistakesAt, refuse } from '../prepare/checks';
import { demandSandbox } from '../prepare/demand-sandbox';
import { type LookedUp, noteLookups } from '../prepare/looked-up';
import { memoryMistakes, modelMistakes, problemsOf } from '../prepare/prepare';
import { learnNeeds } from '../prepare/learned';
import { localActions, needsOfActions } from '../prepare/named-actions';
import { planOfOutput } from './plan-reading';
import { offload } from '../../lib/threads/offload';
import { isLighterThan } from '../../lib/threads/weight';
import { below, type TypedProblem } from '../../lib/base/spec-problem';
import type { PrepareDependencies } from '../dependencies';
import { workflowId } from '../execution/current-run';
import type { Plan } from '../../kinds/plan/contract/plan';
import type { SpecProblem } from '../../lib/contract/spec-problem';

/** A plan, with the names in it that its worker knows, as `LookedUp` notes them; or all problems of the answer. */
type CheckedPlan = { plan: Plan; known?: string[] } | { problems: SpecProblem[] };

interface PlanActivities {
  /** Local. Validates the whole spec; throws `InvalidSpec`, `UnknownAction` or `UnknownModel`. */
  preparePlan(input: { spec: unknown; moved?: MovedPart[] }): Promise<PlanPreparation>;
  /** Local. Reads what a planner gave: a plan that this worker can run, or all that is wrong with it. */
  checkPlan(input: { output: Json; id: string; finished: string[]; known?: string[] }): Promise<CheckedPlan>;
}

declare module '../protocol' {
  interface ReflectionActivities extends PlanActivities {}
}

/** Size of a plan, in characters and parts, up to which the event loop reads it in a few milliseconds; a thread reads larger ones. */
const SMALL = 50_000;

const readPlan = offload({
  file: require.resolve('./plan-reading'),
  name: planOfOutput.name,
  run: planOfOutput,
  isSmall: (given) => isLighterThan(SMALL, given),
  key: ({ id }) => id,
});

/** A step of a plan makes one call, so no second call would use the answers of its tools. */
const NO_TOOLS = { path: '/tools', message: 'tools are for the steps of a loop: a task or a planner makes one call' };

/** Lists the mistakes in a task's work. `model` is the plan's, and so that of its loops without a model. */
async function taskMistakes(step: unknown, dependencies: PrepareDependencies, model?: string): Promise<TypedProblem[]> {
  if (!isJsonObject(step)) return [];
  if ('loop' in step) {
    const { loop } = step;
    if (!isJsonObject(loop)) return [];
    const whole = model === undefined ? loop : { model, ...loop };
    return mistakesAt('/loop', () => problemsOf(specParts(whole), dependencies));
  }
  const { generator } = specParts({ generator: step });
  if (!generator) return [];
  const hasTools = isModelCall(generator) && (generator.tools?.length ?? 0) > 0;
  return [...(await stepMistakes(generator, dependencies)), ...(hasTools ? [NO_TOOLS] : [])];
}

async function planMistakes(plan: unknown, dependencies: PrepareDependencies, model?: string): Promise<TypedProblem[]> {
  const tasks: unknown = isJsonObject(plan) ? plan['tasks'] : [];
  return checkInTurn((Array.isArray(tasks) ? (tasks as unknown[]) : []).entries(), ([index, task]) =>
    mistakesAt(`/tasks/${index}/step`, () =>
      isJsonObject(task) ? taskMistakes(task['step'], dependencies, model) : [],
    ),
  );
}

function specsOf(steps: readonly (Step | { loop: ReflectionSpec })[]): ReflectionSpec[] {
  return steps.map((step) => ('loop' in step ? step.loop : { generator: step, evaluator: [] }));
}

async function checkPlanSpec(
  value: unknown,
  dependencies: PrepareDependencies & { lookedUp: LookedUp },
  runId: string,
): Promise<Omit<PlanPreparation, 'searchAttributes'>> {
  const parsed = parsePlanSpec(value);
  const given: Record<string, unknown> = isJsonObject(value) ? value : {};
  const model = typeof given['model'] === 'string' ? given['model'] : undefined;
  const ofModel = model === undefined ? [] : modelMistakes(dependencies.models, '/model', model);
  // An unknown model is reported once.
  const known = ofModel.length === 0 ? model : undefined;
  const problems: TypedProblem[] = [
    ...('problems' in parsed ? parsed.problems : []),
    ...(await mistakesAt('/plan', () => planMistakes(given['plan'], dependencies, known))),
    ...longIdProblems(given['plan'], runId).map(below('/plan')),
    ...(await mistakesAt('/planner', () => taskMistakes(given['planner'], dependencies))),
    ...ofModel,
    ...memoryMistakes(isJsonObject(given['memory']) ? given['memory']['agent'] : undefined, dependencies),
  ];
  if ('problems' in parsed || problems.length > 0) throw refuse(problems, dependencies);
  const { spec } = parsed;
  const steps = [...(spec.plan?.tasks ?? []).map(({ step }) => step), ...(spec.planner ? [spec.planner] : [])];
  await demandSandbox(specsOf(steps), dependencies.sandbox);
  const settings = planSettings(spec);
  const { actions } = dependencies;
  const offered = actions.names.flatMap((name) => actions.find(name) ?? []);
  const actionNeeds = needsOfActions(actions.names, actions);
  return {
    ...asKnown(dependencies.lookedUp.found),
    settings: {
      ...settings,
      ...localActions(actions.names, actions),
      timeouts: { ...settings.timeouts, ...dependencies.heartbeats?.() },
    },
    actionNeeds,
    actions: offered.map(({ name, description }) => ({ name, description })),
    maximumResultBytes: dependencies.maximumOutputBytes ?? MAXIMUM_OUTPUT_BYTES,
    storedFromBytes: dependencies.storedFromBytes,
  };
}

/** Limits a plan that a model may have written to the workflows that the worker's owner listed. */
function limitWorkflows(dependencies: PrepareDependencies): PrepareDependencies {
  return { ...dependencies, allowedWorkflows: dependencies.allowedWorkflows ?? [] };
}

export function planActivities(dependencies: PrepareDependencies): PlanActivities {
  return {
    async preparePlan({ spec, moved }) {
      const preparation = await attemptCheck(async () => {
        const here = { ...(await learnNeeds(spec, dependencies)), moved };
        return checkPlanSpec(spec, noteLookups(here), workflowId());
      });
      return { ...preparation, searchAttributes: await dependencies.searchAttributes() };
    },
    async checkPlan({ output, id, finished, known }) {
      const watching = noteLookups(limitWorkflows(dependencies), known);
      const check = async (): Promise<CheckedPlan> => {
        const large = typeof output === 'string' ? largeIntegerIn(output) : undefined;
        if (large) return { problems: [{ path: large.path, message: largeIntegerText(large.source) }] };
        const { value: given, moved } = expandPlan(await readPlan({ output, id }));
        const here = await learnNeeds(given, watching);
        const parsed = parsePlan(given, finished);
        const ofSteps = await planMistakes(given, here);
        // A worker that knows the name offered it to the planner.
        if (here.lookedUp.missesKnown) throw knownElsewhereFailure(ofSteps);
        const problems = [
          ...('problems' in parsed ? parsed.problems : []),
          ...problemsAsWritten(moved, ofSteps).map(({ path, message }) => ({ path, message })),
          ...longIdProblems(given, workflowId()),
        ];
        if ('problems' in parsed || problems.length > 0) return { problems };
        await demandSandbox(specsOf(parsed.plan.tasks.map(({ step }) => step)), dependencies.sandbox);
        return { ...parsed, ...asKnown(here.lookedUp.found) };
      };
      return checkAnywhere(() => attemptCheck(check));
    },
  };
}
