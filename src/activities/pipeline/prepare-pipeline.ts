import { asKnown } from '../../loop/spec/checked-before';
import { actionOf, type PipelinePreparation, planNode, settingsOfPipeline } from '../../kinds/pipeline/state/pipeline';
import type { PipelineNode, PipelineSpec } from '../../kinds/pipeline/contract/pipeline';
import { isJsonObject, type Json, type JsonObject } from '../../lib/json/json';
import { pointerSegments, valueAt } from '../../lib/json/json-pointer';
import {
  findActingPaths,
  mayBeMended,
  findDeferredParameters,
  insertDeferred,
  removeDeferred,
} from '../../kinds/pipeline/state/deferred-parameters';
import { pickTemplatedSettings, removeTemplated } from '../../kinds/pipeline/state/pipeline-state';
import type { TypedProblem } from '../../lib/base/spec-problem';
import type { SpecProblem } from '../../lib/contract/spec-problem';
import { isModelCall } from '../../loop/spec/steps';
import type { ReflectionSpec } from '../../loop/contract/spec';
import type { Step } from '../../loop/contract/steps';
import { correctionSpec, evaluationSpec } from '../../kinds/standalone/state';
import { toolMistakes } from '../standalone/prepare-standalone';
import { textProblems } from '../../actions/problems/text-problems';
import { stepMistakes } from '../prepare/step-mistakes';
import { modelCallProblems, parsePipeline } from '../../kinds/pipeline/parse/pipeline';
import { specParts } from '../../loop/parse/spec';
import { timeoutsOf } from '../../loop/parse/settings';
import { MAXIMUM_OUTPUT_BYTES } from '../execution/output-size';
import { attemptCheck, checkInTurn, mistakesAt, refuse } from '../prepare/checks';
import { learnNeeds } from '../prepare/learned';
import { localActions, needsOfActions } from '../prepare/named-actions';
import { callsMistakes } from '../prepare/evaluator-mistakes';
import { demandSandbox } from '../prepare/demand-sandbox';
import { type LookedUp, noteLookups } from '../prepare/looked-up';
import { actionNames, modelMistakes, problemsOf, warningsOf } from '../prepare/prepare';
import type { PrepareDependencies } from '../dependencies';
import type { MovedPart } from '../../loop/spec/short-form';

interface PipelineActivities {
  /** Local. Checks a pipeline with all of its nodes as `prepare` does. */
  preparePipeline(input: { pipeline: unknown; moved?: MovedPart[] }): Promise<PipelinePreparation>;
}

declare module '../protocol' {
  interface ReflectionActivities extends PipelineActivities {}
}

async function templateMistakes(value: Json | undefined, path: string[]): Promise<SpecProblem[]> {
  return value === undefined ? [] : textProblems(value, path);
}

/** Lists the mistakes that this worker finds in a loop's spec; only well-formed parts are checked. */
async function loopMistakes(spec: JsonObject, dependencies: PrepareDependencies): Promise<TypedProblem[]> {
  return [
    ...(await checkInTurn(Object.entries(pickTemplatedSettings(spec)), ([key, value]) =>
      templateMistakes(value, [key]),
    )),
    ...(await problemsOf(specParts(removeTemplated(spec)), dependencies)),
  ];
}

async function requestMistakes(parameters: JsonObject, dependencies: PrepareDependencies): Promise<TypedProblem[]> {
  const { data, errors, ...parts } = parameters;
  return [
    ...(await templateMistakes(data, ['data'])),
    ...(await templateMistakes(errors, ['errors'])),
    ...(await problemsOf(specParts(parts), dependencies)),
    ...toolMistakes(specParts(parts)),
    ...callsMistakes(specParts(parts)),
  ];
}

/** Lists the mistakes of a node before it runs. Of parameters rendered later, only templates are checked. */
async function nodeMistakes(node: unknown, dependencies: PrepareDependencies): Promise<TypedProblem[]> {
  if (!isJsonObject(node)) return [];
  const { action, parameters, deferred } = findDeferred(node);
  if (deferred.length === 0) return mistakesNow(node, dependencies);
  const known = { ...node, with: removeDeferred(action, parameters, deferred) };
  const mayBeNone = mayBeMended(action, deferred);
  return [
    ...(await checkInTurn(deferred, (pointer) =>
      templateMistakes(valueAt(parameters, pointer), ['with', ...pointerSegments(pointer)]),
    )),
    ...(await mistakesNow(known, dependencies)).filter(
      ({ path }) => !path.startsWith('/with') || !mayBeNone(path.slice('/with'.length)),
    ),
  ];
}

function findDeferred(node: JsonObject): { action: string; parameters: JsonObject; deferred: string[] } {
  const action = actionOf(node as unknown as PipelineNode);
  const { with: parameters = {} } = node;
  if (typeof action !== 'string' || !isJsonObject(parameters)) return { action: '', parameters: {}, deferred: [] };
  return { action, parameters, deferred: findDeferredParameters(action, parameters) };
}

async function mistakesNow(node: JsonObject, dependencies: PrepareDependencies): Promise<TypedProblem[]> {
  const action = actionOf(node as unknown as PipelineNode);
  const parameters = node['with'] ?? {};
  if (action === 'reflection.loop' || action === 'reflection.evaluate' || action === 'reflection.correct') {
    if (!isJsonObject(parameters)) return [];
    const mistakes = action === 'reflection.loop' ? loopMistakes : requestMistakes;
    return mistakesAt('/with', () => mistakes(parameters, dependencies));
  }
  if (('run' in node || 'workflow' in node) && action === undefined) {
    const { name: _name, description: _description, output: _output, ...step } = node;
    const { generator } = specParts({ generator: step });
    return generator ? stepMistakes(generator, dependencies) : [];
  }
  if (typeof action !== 'string') return [];
  if (action === 'llm.call') {
    const { generator } = specParts({ generator: { ...(isJsonObject(parameters) ? parameters : {}), action } });
    if (!generator) return [];
    const tooled = isModelCall(generator) && (generator.tools?.length ?? 0) > 0;
    const message = 'tools are for the steps of a loop: a node makes one call';
    return [
      ...(await mistakesAt('/with', () => stepMistakes(generator, dependencies))),
      ...promptMistakes(generator),
      ...(tooled ? [{ path: '/with/tools', message }] : []),
    ];
  }
  // A problem with the name is reported at the path of the name.
  const [key] = ['action', 'uses'].filter((each) => each in node);
  const problems = await stepMistakes({ action, with: parameters }, dependencies);
  return problems.map((problem) => (problem.path === '/action' ? { ...problem, path: `/${key}` } : problem));
}

function promptMistakes(step: Step): SpecProblem[] {
  if (!isModelCall(step) || step.prompt || step.messages) return [];
  return [{ path: '/with', message: 'asks nothing: give it a `prompt` or `messages`' }];
}

function specsOf(pipeline: PipelineSpec): ReflectionSpec[] {
  const settings = settingsOfPipeline(pipeline);
  return pipeline.nodes.map((node) => {
    const planned = planNode(node, settings);
    if (planned.kind === 'loop') return planned.spec;
    if (planned.kind === 'step') return { generator: planned.step, evaluator: [] };
    if (planned.kind === 'correct') return correctionSpec({ corrector: planned.corrector });
    return evaluationSpec({ evaluator: planned.evaluator });
  });
}

async function checkPipeline(
  value: unknown,
  dependencies: PrepareDependencies & { lookedUp: LookedUp },
): Promise<Omit<PipelinePreparation, 'searchAttributes'>> {
  const { moved } = dependencies;
  const parsed = parsePipeline(value);
  const malformed = 'problems' in parsed ? parsed.problems : [];
  const listed: unknown = isJsonObject(value) ? value['nodes'] : [];
  const others = await checkInTurn((Array.isArray(listed) ? (listed as unknown[]) : []).entries(), ([index, node]) =>
    mistakesAt(`/nodes/${index}`, () => nodeMistakes(node, dependencies)),
  );
  if ('problems' in parsed) throw refuse([...malformed, ...others], { moved });
  const { pipeline } = parsed;
  const { llm, timeouts } = pipeline.settings ?? {};
  const path = llm?.model === undefined ? '/state/llm_model' : '/settings/llm/model';
  others.push(...modelMistakes(dependencies.models, path, settingsOfPipeline(pipeline).llm?.model));
  if (others.length > 0) throw refuse(others, { moved });
  const late = Object.fromEntries(
    pipeline.nodes.flatMap((node, index) => {
      const pointers = findDeferred(node as unknown as JsonObject).deferred;
      return pointers.length === 0 ? [] : [[String(index), pointers]];
    }),
  );
  const warned = pipeline.nodes.flatMap((node, index) => {
    const { warnings } = actionOf(node) === 'reflection.loop' ? {} : warningsOf(node as unknown as Json);
    return warnings ? [[String(index), warnings] as const] : [];
  });
  const { actions, lookedUp } = dependencies;
  const specs = specsOf(pipeline);
  await demandSandbox(specs, dependencies.sandbox);
  const named = specs.flatMap(actionNames);
  return {
    ...asKnown(lookedUp.found),
    ...localActions(named, actions),
    late: Object.keys(late).length === 0 ? undefined : late,
    ...(warned.length > 0 && { warnings: Object.fromEntries(warned) }),
    actionNeeds: needsOfActions(named, actions),
    timeouts: { ...timeoutsOf(timeouts), ...dependencies.heartbeats?.() },
    maximumStateBytes: dependencies.maximumOutputBytes ?? MAXIMUM_OUTPUT_BYTES,
    storedFromBytes: dependencies.storedFromBytes,
  };
}

/** The only action whose rendered parameters are checked here: loops, evaluations and corrections check theirs when they start. */
const CALLS_AT_ONCE = 'llm.call';

/** `values` go by JSON Pointer; the pipeline's worker knew the names in `known`. Throws `InvalidSpec` or `UnknownModel`. */
export async function assertRunnable(
  { action, parameters }: { action: string; parameters: JsonObject },
  values: Record<string, Json>,
  given: PrepareDependencies,
  known?: readonly string[],
): Promise<void> {
  const dependencies = noteLookups(given, known);
  const acting = Object.entries(values).flatMap(([pointer, value]) => findActingPaths(pointer, value));
  const message = 'runs code or calls a service, which only the pipeline itself may say, not its state';
  const problems: TypedProblem[] = acting.map((path) => ({ path, message }));
  if (action === CALLS_AT_ONCE) {
    const node = { name: 'node', action, with: insertDeferred(parameters, values), output: 'output' };
    problems.push(...(await renderedMistakes(node, dependencies)));
  }
  if (problems.length > 0) throw refuse(problems, dependencies);
}

async function renderedMistakes(node: JsonObject, dependencies: PrepareDependencies): Promise<TypedProblem[]> {
  const malformed = modelCallProblems(node['with'] as JsonObject);
  const others = await mistakesNow(node, dependencies);
  return [...malformed, ...others.map((each) => ({ ...each, path: each.path.replace(/^\/with/, '') }))];
}

/** Throws `InvalidSpec`, `UnknownAction` or `UnknownModel` with all mistakes; `StepFailed` when the check fails. */
async function preparePipeline(value: unknown, dependencies: PrepareDependencies): Promise<PipelinePreparation> {
  const preparation = await attemptCheck(async () => {
    return checkPipeline(value, noteLookups(await learnNeeds(value, dependencies)));
  });
  return { ...preparation, searchAttributes: await dependencies.searchAttributes() };
}

export function pipelineActivities(dependencies: PrepareDependencies): PipelineActivities {
  return { preparePipeline: ({ pipeline, moved }) => preparePipeline(pipeline, { ...dependencies, moved }) };
}
