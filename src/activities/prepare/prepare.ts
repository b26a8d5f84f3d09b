import { isJudge } from '../../loop/spec/evaluator-traits';
import { modelOfCalls } from '../../loop/spec/model-of-calls';
import { toolsOfJudge } from '../../loop/spec/evaluator-parts';
import { builtInAdviser, builtInReviser, isModelCall } from '../../loop/spec/steps';
import { EVALUATOR_DEFAULTS } from '../../loop/base/defaults';
import { describeUnapprovable, mayNeedApproval } from '../../actions/approval';
import { codeProblems } from '../../actions/inline-code';
import { stepMistakes } from './step-mistakes';
import { allEvaluators, allParts, evaluatorsOf, judgeModel } from '../../loop/spec/judges';
import type { Preparation } from '../../loop/state/loop-settings';
import type { Hook } from '../../loop/contract/steps';
import type { ReflectionSpec } from '../../loop/contract/spec';
import type { Json, JsonObject } from '../../lib/json/json';
import { unknownKeys } from '../../loop/step-state/unknown-keys';
import { templatesInCode } from '../../lib/text/code-templates';
import { below, type TypedProblem } from '../../lib/base/spec-problem';
import type { SpecProblem } from '../../lib/contract/spec-problem';
import { allows } from '../../lib/base/allow-list';
import { triggersOf } from '../../loop/moves/triggers';
import type { Models } from '../../lib/models/types';
import { parseSpec, type SpecParts, specParts } from '../../loop/parse/spec';
import { settingsOf } from '../../loop/parse/settings';
import { type MovedPart, problemsAsWritten } from '../../loop/spec/short-form';
import { templateProblemsAsync } from '../../lib/templates';
import { checkAt } from '../../lib/threads/time-budget';
import { noteLookups } from './looked-up';
import { describeMemoryNotServed, describeNoMemory } from '../memory/served-agents';
import { attachmentMistakes } from './attachment-mistakes';
import { attemptCheck, checkInTurn, mistakesAt, refuse } from './checks';
import { demandSandbox } from './demand-sandbox';
import { learnNeeds } from './learned';
import { localActions, needsOfActions, questionsOf } from './named-actions';
import { didYouMean } from '../../lib/names/nearest-name';
import { unmadeCallMistakes } from './call-mistakes';
import { evaluatorMistakes, judgeMistakes, onlyPriorMistakes, partPlans, workPlan } from './evaluator-mistakes';
import { warnOfUnusedSettings } from './unused-settings';
import type { PrepareDependencies } from '../dependencies';
import { notifyOf } from '../notify';

async function templateMistakes(path: string, text: string | undefined): Promise<SpecProblem[]> {
  const [messages = []] = await checkAt(path, () => templateProblemsAsync(text === undefined ? [] : [text]));
  return messages.map((message) => ({ path, message }));
}

export function modelMistakes(models: Models, path: string, name: string | undefined): TypedProblem[] {
  const message = name === undefined ? undefined : models.problem(name);
  return message === undefined ? [] : [{ path, message, type: 'UnknownModel' }];
}

function unaskedMistakes({ generator, task }: SpecParts): SpecProblem[] {
  if (!generator || !isModelCall(generator) || generator.prompt || generator.messages || task) return [];
  return [{ path: '/generator', message: 'asks nothing: give it a `prompt` or `messages`, or give the spec a `task`' }];
}

function calledModels(spec: SpecParts): (string | undefined)[] {
  const { generator, corrector, evaluators, judge } = spec;
  const model = modelOfCalls(spec);
  const both = corrector && generator ? { generator, corrector } : undefined;
  const reviser = (both && (builtInReviser(both) ?? builtInAdviser(both))) ?? corrector;
  const steps = [generator, reviser].filter((step) => step !== undefined).filter(isModelCall);
  const judges = allParts({ evaluator: evaluators.map(({ evaluator }) => evaluator), judge }).filter((part) =>
    isJudge(part.evaluator),
  );
  return [
    ...steps.map((step) => step.model ?? model),
    ...judges.map(({ evaluator }) => ('model' in evaluator ? evaluator.model : undefined) ?? judgeModel(spec)),
  ];
}

function priceMistakes(spec: SpecParts, models: Models): SpecProblem[] {
  if (spec.budget?.usd === undefined) return [];
  const unpriced = calledModels(spec).filter((name) => models.problem(name) === undefined && !models.hasPrice(name));
  return [...new Set(unpriced)].map((name) => ({
    path: '/budget/usd',
    message: `no price known for ${name === undefined ? "the worker's default model" : `model "${name}"`}: its worker needs \`prices\``,
  }));
}

function hookMistakes({ hooks = {} }: SpecParts, { actions, sandbox }: PrepareDependencies): TypedProblem[] {
  return Object.entries(hooks).flatMap(([hook, name]: [string, Hook]) => {
    const path = `/hooks/${hook}`;
    if (typeof name !== 'string') return codeProblems(name, sandbox).map(below(path));
    if (name === 'llm.call')
      return [{ path, message: 'a hook is a registered action or inline code; `llm.call` is neither' }];
    const message = actions.whyNot(name);
    const action = actions.find(name);
    if (action && mayNeedApproval(action)) return [{ path, message: describeUnapprovable(name) }];
    return action ? [] : [{ path, message, type: 'UnknownAction' as const }];
  });
}

function toolsIn({ generator, corrector }: Pick<SpecParts, 'generator' | 'corrector'>): string[] {
  return [generator, corrector].flatMap((step) => (step && isModelCall(step) ? (step.tools ?? []) : []));
}

function triggerMistakes(spec: SpecParts): SpecProblem[] {
  const tools = toolsIn(spec);
  return (spec.triggers?.reflectOnTools ?? []).flatMap((name, index) =>
    tools.includes(name)
      ? []
      : [
          {
            path: `/triggers/reflectOnTools/${index}`,
            message: `"${name}" is no tool of the generator or corrector${didYouMean(name, tools)}`,
          },
        ],
  );
}

/** Lists the mistakes of a run's memory: a run that could not keep what it learns should say so before it begins. */
export function memoryMistakes(agent: unknown, dependencies: PrepareDependencies): TypedProblem[] {
  const { insights, memoryProblem, allowedAgents, lookedUp } = dependencies;
  if (typeof agent !== 'string') return [];
  const isServed = insights !== undefined && allows(allowedAgents, agent);
  lookedUp?.note('agent', agent, isServed);
  if (isServed) return [];
  const type = 'UnknownAgent';
  if (insights === undefined) {
    return [{ path: '/memory', message: describeNoMemory(memoryProblem), type }];
  }
  // The names of other agents are not disclosed to callers that start a run.
  return [{ path: '/memory/agent', message: describeMemoryNotServed(agent), type }];
}

export async function problemsOf(spec: SpecParts, dependencies: PrepareDependencies): Promise<TypedProblem[]> {
  const { models } = dependencies;
  const steps = { '/generator': spec.generator, '/corrector': spec.corrector };
  return [
    ...(await templateMistakes('/task', spec.task)),
    ...(await templateMistakes('/reflectionPrompt', spec.reflectionPrompt)),
    ...unaskedMistakes(spec),
    ...modelMistakes(models, '/model', spec.model),
    ...modelMistakes(models, '/state/llm_model', spec.model === undefined ? modelOfCalls(spec) : undefined),
    ...modelMistakes(models, '/reflectionModel', spec.reflectionModel),
    ...modelMistakes(models, '/judge/model', spec.judge?.model),
    ...priceMistakes(spec, models),
    ...hookMistakes(spec, dependencies),
    ...memoryMistakes(spec.memory?.agent, dependencies),
    ...(await checkInTurn(Object.entries(steps), ([path, step]) =>
      mistakesAt(path, () => (step ? stepMistakes(step, dependencies) : [])),
    )),
    ...(await checkInTurn(spec.evaluators, ({ path, evaluator }) =>
      mistakesAt(path, () => evaluatorMistakes(evaluator, dependencies)),
    )),
    ...(await attachmentMistakes(spec, dependencies)),
    ...onlyPriorMistakes(spec),
    ...triggerMistakes(spec),
    ...unmadeCallMistakes(spec, dependencies),
    ...(await judgeMistakes(spec, dependencies)),
  ];
}

/** The names of evaluators. They must differ, or results could not be distinguished. */
function evaluatorNames(spec: ReflectionSpec): string[] {
  const taken = new Map<string, number>();
  return allEvaluators(spec).map((evaluator) => {
    const name = evaluator.name ?? (evaluator === spec.judge?.second ? 'second judge' : evaluator.type);
    const count = (taken.get(name) ?? 0) + 1;
    taken.set(name, count);
    return count === 1 ? name : `${name} ${count}`;
  });
}

export function actionNames(spec: ReflectionSpec): string[] {
  const judging = allParts(spec).map(({ evaluator }) => evaluator);
  const hooks = Object.values(spec.hooks ?? {}).filter((hook: Hook) => typeof hook === 'string');
  const named = [...hooks, ...toolsIn(spec), ...judging.flatMap(toolsOfJudge)].map((action: string) => ({ action }));
  return [spec.generator, spec.corrector, ...judging, ...named].flatMap((step) =>
    step && 'action' in step ? [step.action] : [],
  );
}

/** `learnNeeds` asked MCP servers before: the only service that is asked here is the storage of attachments. */
async function checkLoop(
  value: unknown,
  dependencies: PrepareDependencies,
): Promise<Omit<Preparation, 'searchAttributes'>> {
  const parsed = parseSpec(value);
  const malformed = 'problems' in parsed ? parsed.problems : [];
  const parts = typeof value === 'object' && value !== null ? await problemsOf(specParts(value), dependencies) : [];
  if ('problems' in parsed || parts.length > 0) throw refuse([...malformed, ...parts], dependencies);
  return preparationOf(parsed.spec, dependencies);
}

export function preparationOf(
  spec: ReflectionSpec,
  dependencies: PrepareDependencies,
): Omit<Preparation, 'searchAttributes'> {
  const names = evaluatorNames(spec);
  const settings = settingsOf(spec);
  const plans = allEvaluators(spec).map((evaluator, index) => ({
    name: names[index]!,
    type: evaluator.type,
    weight: evaluator.weight ?? EVALUATOR_DEFAULTS.weight,
    gate: evaluator.gate ?? EVALUATOR_DEFAULTS.gate,
    ...workPlan(evaluator),
    ...partPlans(spec, evaluator),
  }));
  const count = evaluatorsOf(spec).length;
  const second = plans[count];
  const named = actionNames(spec);
  const questions = questionsOf(spec, toolsIn(spec), dependencies.actions);
  const { warnings = [] } = warningsOf(spec as unknown as Json, dependencies);
  const all = [...warnings, ...warnOfUnusedSettings(spec, questions)];
  return {
    settings: {
      ...settings,
      ...localActions(named, dependencies.actions),
      ...questions,
      triggers: settings.triggers && triggersOf(settings.triggers, plans.slice(0, count)),
      maximumOutputBytes: dependencies.maximumOutputBytes,
      storedFromBytes: dependencies.storedFromBytes,
      timeouts: { ...settings.timeouts, ...dependencies.heartbeats?.() },
    },
    evaluators: plans.slice(0, count),
    // The second judge is asked only after all others have passed, so a fail of it always decides.
    ...(second ? { second: { ...second, gate: true } } : {}),
    actionNeeds: needsOfActions(named, dependencies.actions),
    ...(all.length > 0 && { warnings: all }),
  };
}

/** Adds the keys that the state lacks to the warnings. The state of loops in other runs is not known before they begin. */
function withUnknownKeys(
  { warnings = [] }: Pick<Preparation, 'warnings'>,
  spec: { state?: JsonObject },
  moved: readonly MovedPart[],
): { warnings?: string[] } {
  const unknown = problemsAsWritten(moved, unknownKeys(spec as unknown as Json, spec.state ?? {}));
  const all = [...warnings, ...unknown.map(({ path, message }) => `${path}: ${message}`)];
  return all.length === 0 ? {} : { warnings: all };
}

export function warningsOf(
  value: Json,
  { unreadCode, moved = [] }: Pick<PrepareDependencies, 'unreadCode' | 'moved'> = {},
): { warnings?: string[] } {
  const unread = unreadCode === undefined ? [] : [`the inline code was not checked before the run: ${unreadCode}`];
  const inCode = problemsAsWritten(moved, templatesInCode(value));
  const warnings = [...unread, ...inCode.map(({ path, message }) => `${path}: ${message}`)];
  return warnings.length === 0 ? {} : { warnings };
}

/**
 * Validates a whole spec before anything is paid for: calls no model, and runs neither actions nor code. Throws
 * `InvalidSpec`, `UnknownAction` or `UnknownModel`, with every mistake in its first detail; `StepFailed` when the check
 * went wrong, or this machine cannot run the spec's code in a sandbox. Retryable: an MCP server that is away, errors of
 * `searchAttributes`, and names of `known` (to the parent's worker) that this worker does not know.
 */
export async function prepareSpec(
  value: unknown,
  dependencies: PrepareDependencies,
  { known, moved = [] }: { known?: readonly string[]; moved?: readonly MovedPart[] } = {},
): Promise<Preparation> {
  const preparation = await attemptCheck(async () => {
    const here = { ...(await learnNeeds(value, dependencies)), moved };
    const found = await checkLoop(value, noteLookups(here, known));
    return { ...found, ...withUnknownKeys(found, value as ReflectionSpec, moved) };
  });
  // `checkLoop` has shown that it is a spec.
  await demandSandbox([value as ReflectionSpec], dependencies.sandbox);
  const { runList } = dependencies;
  const notify = notifyOf(preparation.settings, dependencies.notify);
  return {
    ...preparation,
    ...(runList && { runList }),
    ...notify,
    searchAttributes: await dependencies.searchAttributes(),
  };
}
