import type { ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { endOf, type HistoryFile, payloadValue } from '../../../src/apps/testing/replay/history-file';
import { readRecordings } from '../../../testing/replay/recordings';
import { eventProblems } from '../../../src/kinds/agents/state/agent-event';
import { COMMAND_NAMES } from '../../../src/loop/base/command-payloads';
import { isJsonObject, type Json, type JsonObject } from '../../../src/lib/json/json';
import { jsonSchemas } from '../../../src/kinds/list/schemas';
import { nameTypes } from '../../../src/lib/contract/definitions';
import { parsePlan, parsePlanSpec } from '../../../src/kinds/plan/parse/plan';
import { parseSpec } from '../../../src/loop/parse/spec';
import { evaluatorTypes } from '../../../src/loop/contract/evaluators';
import { shapeCompiler } from '../../../testing/support/shape-compiler';

const ajv = shapeCompiler({ strictTypes: false, strictTuples: false });
addFormats(ajv);
const schemas = jsonSchemas();
const compiled: Record<string, ValidateFunction> = Object.fromEntries(
  Object.entries(nameTypes(schemas)).map(([file, schema]) => [file, ajv.compile(schema)]),
);
/** What is wrong with a value; undefined: nothing. */
function wrong(name: string, value: unknown): string | undefined {
  const validate = compiled[`${name}.json`]!;
  return validate(value) ? undefined : ajv.errorsText(validate.errors);
}

/** Names that are those of their files, written another way. */
const REGULAR =
  `EvaluationRequest EvaluationState CorrectionRequest CorrectionResult PipelineResult PipelineProgressQuestion
  PipelineProgress PlanSpec Plan Task TaskResult ReflectionCriteria FailurePattern PlanProgress Episode BatchSpec
  BatchResult BatchProgress BatchLine HistoryQuestion HistoryPage WaitNotification`.split(/\s+/);

/** Every shape of the contract, by the name that it has there. */
const SHAPES: Record<string, string> = {
  ReflectionSpec: 'spec',
  ReflectionSpecInput: 'spec-short',
  Step: 'step',
  Corrector: 'corrector',
  Evaluator: 'evaluator',
  QualityCriterion: 'quality-criterion',
  ReflectionEvaluation: 'evaluation',
  ReflectionVersion: 'version',
  ReflectionResult: 'result',
  RunReport: 'run-report',
  ReflectionState: 'reflection-state',
  Progress: 'progress',
  PipelineSpec: 'pipeline',
  Evaluation: 'plan-evaluation',
  PlanRunResult: 'plan-result',
  AgentReflectionSpec: 'agent-spec',
  ReflectionConfig: 'reflection-config',
  AgentEvent: 'agent-event',
  TriggerAnswer: 'trigger-answer',
  AgentReflectionReport: 'agent-report',
  PopulationProgress: 'agent-progress',
  ReflectionsQuestion: 'reflections-question',
  ReflectionsPage: 'reflections-page',
  SpecFailureDetail: 'failure-spec',
  ReflectionFailedErrorDetail: 'failure-reflection',
  StepFailedDetail: 'failure-step',
  CodeFailureDetail: 'failure-code',
  ...Object.fromEntries(REGULAR.map((title) => [title, title.replace(/(?<=.)[A-Z]/g, '-$&').toLowerCase()])),
  ...Object.fromEntries(COMMAND_NAMES.map((name) => [`Command ${name}`, `command-${name}`])),
};

/** The shapes of a workflow's argument, of its result, and of what its updates answer. */
const WORKFLOWS: Record<string, { argument: string; result: string; update?: string }> = {
  reflectionLoop: { argument: 'spec', result: 'result', update: 'progress' },
  reflectionEvaluate: { argument: 'evaluation-request', result: 'evaluation' },
  reflectionCorrect: { argument: 'correction-request', result: 'correction-result' },
  reflectionPipeline: { argument: 'pipeline', result: 'pipeline-result' },
  planReflection: { argument: 'plan-spec', result: 'plan-result' },
  reflectionBatch: { argument: 'batch-spec', result: 'batch-result', update: 'batch-progress' },
  agentReflection: { argument: 'agent-spec', result: 'agent-report', update: 'trigger-answer' },
};

const field = (value: unknown, ...path: string[]): JsonObject | undefined =>
  path.reduce<unknown>((at, key) => (isJsonObject(at) ? at[key] : undefined), value) as JsonObject | undefined;
const payloads = (value: unknown): unknown[] => {
  const list = field(value, 'payloads') as unknown;
  return Array.isArray(list) ? list.map((each) => payloadValue(each)) : [];
};

interface Said {
  type: string;
  argument: unknown;
  updates: { name: string; payload: unknown; answer?: unknown }[];
}

/** What went over the wire in a recorded run. */
function saidIn({ events }: HistoryFile): Said {
  const started = field(events[0], 'workflowExecutionStartedEventAttributes');
  const updates = new Map<string, Said['updates'][number]>();
  for (const event of events) {
    const accepted = field(event, 'workflowExecutionUpdateAcceptedEventAttributes');
    const input = field(accepted, 'acceptedRequest', 'input');
    if (accepted)
      updates.set(String(accepted['protocolInstanceId']), {
        name: String(input?.['name']),
        payload: payloads(input?.['args'])[0] ?? null,
      });
    const completed = field(event, 'workflowExecutionUpdateCompletedEventAttributes');
    const id = String(field(completed, 'meta')?.['updateId']);
    const update = updates.get(id);
    if (update) update.answer = payloads(field(completed, 'outcome', 'success'))[0];
  }
  return {
    type: String(field(started, 'workflowType')?.['name']),
    argument: payloads(started?.['input'])[0],
    updates: [...updates.values()],
  };
}

/** Recordings stand for runs of their time: what results have gained since is put in. */
function withWhatIsNew(result: unknown): unknown {
  const report = field(result, 'report');
  const iterations = report?.['iterations'];
  if (!Array.isArray(iterations)) return result;
  const grown = iterations.map((each) => ({ issuesNew: 0, ...(each as JsonObject) }));
  return { ...(result as JsonObject), report: { ...report, iterations: grown } };
}

const recorded = readRecordings()
  .map(({ name, history }) => ({ name, ...saidIn(history), end: endOf(history) }))
  .filter(({ type }) => Object.hasOwn(WORKFLOWS, type));

describe('JSON Schemas of the contract', () => {
  test('every shape of the contract has one, under its name, and nothing else is shipped', () => {
    expect(Object.entries(SHAPES).map(([title, file]) => [title, schemas[`${file}.json`]?.['title']])).toEqual(
      Object.keys(SHAPES).map((title) => [title, title]),
    );
    const names = Object.keys(schemas).map((file) => file.replace(/\.json$/, ''));
    expect(names.sort()).toEqual(Object.values(SHAPES).sort());
  });

  test('each says what it is, and takes no number for it', () => {
    for (const [file, schema] of Object.entries(schemas)) {
      expect([file, typeof schema['description']]).toEqual([file, 'string']);
      expect([file, compiled[file]!(7)]).toEqual([file, false]);
    }
  });

  test('results of all recorded runs are as their schemas say', () => {
    const ended = recorded.filter(({ end }) => end?.kind === 'completed');
    expect(new Set(ended.map(({ type }) => type))).toEqual(new Set(Object.keys(WORKFLOWS)));
    const mistakes = ended.map(({ name, type, end }) => [
      name,
      wrong(WORKFLOWS[type]!.result, withWhatIsNew((end as { result: unknown }).result)),
    ]);
    expect(mistakes.filter(([, mistake]) => mistake)).toEqual([]);
  });

  test('arguments of all recorded runs are as their schemas say, and those that were refused are not', () => {
    const refused = recorded.filter(({ end }) => end?.kind === 'failed' && end.type === 'InvalidSpec');
    const good = recorded.filter(({ end }) => end?.kind !== 'failed');
    expect([refused.length > 3, good.length > 50]).toEqual([true, true]);
    const mistakes = good.map(({ name, type, argument }) => [name, wrong(WORKFLOWS[type]!.argument, argument)]);
    expect(mistakes.filter(([, mistake]) => mistake)).toEqual([]);
    const invalid = refused.filter(({ name }) => ['plan-invalid', 'agents-invalid', 'pipeline-invalid'].includes(name));
    expect(invalid.map(({ type, argument }) => wrong(WORKFLOWS[type]!.argument, argument) === undefined)).toEqual([
      false,
      false,
      false,
    ]);
  });

  test('details of all recorded failures are as their schemas say', () => {
    const failed = recorded.flatMap(({ name, end }) => (end?.kind === 'failed' ? [{ name, ...end }] : []));
    const schemaOf = (type: string): string => {
      if (type === 'ReflectionFailedError') return 'failure-reflection';
      return /^(InvalidSpec|Unknown)/.test(type) ? 'failure-spec' : 'failure-step';
    };
    expect(new Set(failed.map(({ type }) => schemaOf(type))).size).toBe(3);
    const mistakes = failed.map(({ name, type, details: [first] }) => [name, wrong(schemaOf(type), first)]);
    expect(mistakes.filter(([, mistake]) => mistake)).toEqual([]);
    const ofCode = failed
      .flatMap(({ details }) => details)
      .filter((detail) => isJsonObject(detail as Json) && 'language' in (detail as object));
    expect(ofCode.length).toBeGreaterThan(0);
    expect(ofCode.map((detail) => wrong('failure-code', detail))).toEqual(ofCode.map(() => undefined));
    expect(wrong('failure-spec', [{ path: '/a' }])).toMatch('message');
    expect(wrong('failure-reflection', { history: [{ iteration: 1 }] })).toMatch('output');
    expect(wrong('failure-step', { iteration: 1 })).toMatch('step');
    expect(wrong('failure-code', { line: 1 })).toMatch('language');
  });

  test('messages of all recorded runs, and their answers, are as their schemas say', () => {
    const updates = recorded.flatMap(({ name, type, updates: all }) =>
      all.map((update) => ({ run: name, type, update })),
    );
    const seen = new Set(updates.filter(({ update }) => update.answer !== undefined).map(({ type }) => type));
    expect(seen).toEqual(new Set(['reflectionLoop', 'agentReflection', 'reflectionBatch']));
    // Those of a batch carry nothing.
    const own = ['pause', 'resume'];
    const isKnown = (name: string): boolean => ['trigger', ...own, ...COMMAND_NAMES].includes(name);
    const mistyped = updates.filter(({ update }) => !isKnown(update.name));
    expect(mistyped.map(({ update: { name, answer } }) => [name, answer])).toEqual([['acept', undefined]]);
    const meant = updates.filter(({ update }) => isKnown(update.name));
    const mistakes = meant.flatMap(({ run, type, update: { name, payload, answer } }) => [
      [
        run,
        name,
        own.includes(name) ? undefined : wrong(name === 'trigger' ? 'agent-event' : `command-${name}`, payload),
      ],
      ...(answer === undefined ? [] : [[run, name, wrong(WORKFLOWS[type]!.update!, answer)]]),
    ]);
    expect(mistakes.filter(([, , mistake]) => mistake)).toEqual([]);
  });

  const action = { action: 'does', with: { any: 1 } };
  const loop = { generator: action, evaluator: { type: 'schema', schema: {} } };
  const task = (more: object = {}) => ({ id: 'a', description: 'Do a', step: action, ...more });

  test.each<[string, unknown]>([
    ['an action', { id: 'p', tasks: [task()] }],
    ['a loop', { id: 'p', tasks: [task({ step: { loop } })] }],
    ['a model call', { id: 'p', tasks: [task({ step: { action: 'llm.call', prompt: 'x' }, expectedMs: 5 })] }],
    ['inline code', { id: 'p', tasks: [task({ step: { run: 'return 1', language: 'lua' }, dependsOn: [] })] }],
    ['no tasks', { id: 'p', tasks: [] }],
    ['no id', { tasks: [task()] }],
    ['a task without a step', { id: 'p', tasks: [{ id: 'a', description: 'd' }] }],
    ['a step that is nothing', { id: 'p', tasks: [task({ step: {} })] }],
    ['a loop that is none', { id: 'p', tasks: [task({ step: { loop: { generator: action } } })] }],
    ['something beside a loop', { id: 'p', tasks: [task({ step: { loop, action: 'does' } })] }],
    ['an id with a slash', { id: 'p', tasks: [task({ id: 'a/b' })] }],
    ['no time', { id: 'p', tasks: [task({ expectedMs: 0 })] }],
    ['an unknown key', { id: 'p', tasks: [task({ colour: 1 })] }],
  ])('a plan with %s: the schema agrees with the parser', (_what, plan) => {
    expect(wrong('plan', plan) === undefined).toBe(!('problems' in parsePlan(plan)));
    const spec = { goal: 'g', plan };
    expect(wrong('plan-spec', spec) === undefined).toBe(!('problems' in parsePlanSpec(spec)));
  });

  test.each<[string, unknown]>([
    ['a goal', { goal: 'g' }],
    ['everything', { goal: 'g', planner: action, criteria: { minSuccessRate: 1 }, memory: { agent: 'a' }, model: 'm' }],
    ['no goal', {}],
    ['too many replans', { goal: 'g', maxReplanningAttempts: 21 }],
    ['an unknown criterion', { goal: 'g', criteria: { colour: 1 } }],
    ['a plan that is a text', { goal: 'g', plan: 'do it' }],
    ['an unknown key', { goal: 'g', colour: 1 }],
  ])('a plan spec with %s: the schema agrees with the parser', (_what, spec) => {
    expect(wrong('plan-spec', spec) === undefined).toBe(!('problems' in parsePlanSpec(spec)));
  });

  const crisis = { kind: 'crisis', year: 3 };
  test.each<[string, unknown]>([
    ['a crisis', crisis],
    ['all of it', { ...crisis, id: 'a', agentId: 'ada', context: { importance: 1, description: 'd', more: [1] } }],
    ['what a form left empty', { ...crisis, id: null, agentId: null, context: null }],
    ['nothing in its context', { ...crisis, context: { failed: null, agents: null } }],
    ['snake_case', { ...crisis, kind: 'institutional', context: { policy_change_magnitude: 0.1 } }],
    ['a decision of somebody', { ...crisis, kind: 'decision', agentId: 'ada' }],
    ['a decision of nobody', { ...crisis, kind: 'decision' }],
    ['a decision of null', { ...crisis, kind: 'decision', agentId: null }],
    ['no year', { kind: 'crisis' }],
    ['half a year', { kind: 'crisis', year: 0.5 }],
    ['an unknown kind', { ...crisis, kind: 'party' }],
    ['an unknown key', { ...crisis, colour: 1 }],
    ['an empty id', { ...crisis, id: '' }],
    ['a long text', { ...crisis, context: { description: 'x'.repeat(1_001) } }],
    ['a number for a flag', { ...crisis, context: { failed: 1 } }],
    ['a list', []],
  ])('an event with %s: the schema agrees with what a population takes', (_what, event) => {
    expect(wrong('agent-event', event) === undefined).toBe(eventProblems(event, () => true).length === 0);
  });

  test.each<[string, unknown]>([
    ['a name', 'clear'],
    ['a judge', { name: 'a', evaluator: 'llm', evaluatorConfig: { prompt: 'p', model: 'm' } }],
    ['questions', { name: 'a', evaluatorConfig: { questions: ['Is it?'] } }],
    ['no questions', { name: 'a', evaluatorConfig: { questions: [] } }],
    ['a judge with a pattern', { name: 'a', evaluator: 'llm', evaluatorConfig: { pattern: 'x' } }],
    ['a pattern', { name: 'a', evaluator: 'regex', evaluatorConfig: { pattern: 'x', mustMatch: false } }],
    ['no pattern', { name: 'a', evaluator: 'regex' }],
    ['a pattern of another kind', { name: 'a', evaluator: 'schema', evaluatorConfig: { pattern: 'x' } }],
    ['code', { name: 'a', evaluator: 'custom', evaluatorConfig: { run: 'return True', language: 'python' } }],
    ['code in an unknown language', { name: 'a', evaluator: 'custom', evaluatorConfig: { run: 'x', language: 'c' } }],
    ['questions for code', { name: 'a', evaluator: 'custom', evaluatorConfig: { questions: ['Is it?'] } }],
    ['no code', { name: 'a', evaluator: 'custom', evaluatorConfig: { language: 'python' } }],
    ['a schema', { name: 'a', evaluator: 'schema', evaluatorConfig: { schema: true } }],
    ['a function', { name: 'a', evaluator: 'function', evaluatorConfig: { action: 'mine', with: 1 } }],
    ['a comparison', { name: 'a', evaluator: 'comparison', evaluatorConfig: { against: 'prior' } }],
    ['a weight that is the criterion’s', { name: 'a', evaluator: 'llm', evaluatorConfig: { weight: 2 } }],
    ['an unknown kind', { name: 'a', evaluator: 'magic', evaluatorConfig: {} }],
  ])('a criterion with %s: the schema agrees with the parser', (_what, criterion) => {
    const spec = { generator: action, evaluator: { type: 'criteria', criteria: [criterion] } };
    const isTaken = 'spec' in parseSpec(spec);
    expect(wrong('quality-criterion', criterion) === undefined).toBe(isTaken);
    expect(wrong('spec', spec) === undefined).toBe(isTaken);
  });

  test('one evaluator of every type has a form, and a corrector is a step with a mode', () => {
    const text = JSON.stringify(schemas['evaluator.json']);
    expect(evaluatorTypes().filter((type) => !text.includes(`{"type":"string","const":"${type}"}`))).toEqual([]);
    expect(wrong('evaluator', { type: 'llm' })).toBeUndefined();
    expect(wrong('corrector', { ...action, mode: 'hint' })).toBeUndefined();
    expect(wrong('step', { ...action, mode: 'hint' })).toBeDefined();
  });
});
