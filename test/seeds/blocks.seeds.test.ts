import { existsSync } from 'node:fs';
import type { AgentReflectionReport, TriggerAnswer } from '../../src/kinds/agents/contract/agent-results';
import { isJsonObject, type JsonObject } from '../../src/lib/json/json';
import { parseFile, type ReflectionFile, SpecFileError } from '../../src/apps/yaml';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';
import { seedFences, SEEDS } from './fences';
import { CONFIGURATION, NOT_YAML, SCENARIOS, type Scenario, WAITING } from './scenarios';

const fences = seedFences();
/** Alternatives of one block carry what tells them apart in brackets. */
const fenceOf = (scenario: string): string =>
  fences.find(({ name }) => name === scenario.replace(/ \(.*\)$/, ''))!.text;
const fileOf = (name: string): ReflectionFile => parseFile((SCENARIOS[name]!.wrap ?? same)(fenceOf(name)), 'seed.yaml');
const same = (text: string): string => text;

describe('the blocks of YAML and JSON in the documents', () => {
  test('the documents are at hand; SEEDS_DIR says where they are', () => {
    expect(existsSync(SEEDS)).toBe(true);
  });

  test('every one has its place here, and there are no others', () => {
    const places = [...Object.keys(SCENARIOS), ...Object.keys(CONFIGURATION), ...Object.keys(NOT_YAML)];
    const named = new Set(places.map((place) => place.replace(/ \(.*\)$/, '')));
    expect([...named].toSorted()).toEqual(fences.map(({ name }) => name).toSorted());
    expect(Object.keys(WAITING).filter((name) => !(name in SCENARIOS))).toEqual([]);
  });

  test.each(Object.keys(NOT_YAML))('%s is no YAML', (name) => {
    expect(() => parseFile(fenceOf(name), 'seed.yaml')).toThrow(expect.objectContaining({ type: 'InvalidYaml' }));
  });

  test.each(Object.keys(CONFIGURATION))('%s loads as configuration', (name) => {
    expect(parseFile(fenceOf(name), 'seed.yaml')).toMatchObject({ kind: 'config', config: CONFIGURATION[name] });
  });

  test('what waits has nothing else wrong with it', () => {
    for (const name of Object.keys(WAITING)) expect(otherMistakes(name)).toEqual([]);
  });
});

/** What is wrong with a file that waits, beside what it waits for; fails when nothing is. */
function otherMistakes(name: string): string[] {
  try {
    fileOf(name);
  } catch (error) {
    if (!(error instanceof SpecFileError)) throw error;
    return error.problems.map(({ message }) => message).filter((message) => !WAITING[name]!.says.test(message));
  }
  return ['nothing: it need not wait any more'];
}

describe('what can be run of them', () => {
  let world: LoopWorld;
  let scripted: ScriptedOpenAI;
  let replies: unknown[] = [];

  beforeAll(async () => {
    const next = (): { reply: unknown } | undefined => (replies.length > 0 ? { reply: replies.shift() } : undefined);
    scripted = await ScriptedOpenAI.start({ script: next });
    world = await startWorld({ models: [{ name: 'gpt-4', model: 'gpt-4', baseUrl: scripted.baseUrl }] });
  });
  afterAll(async () => {
    await world.close();
    await scripted.close();
  });

  async function run(file: ReflectionFile, { state = {} }: Scenario): Promise<JsonObject> {
    if (file.kind === 'loop') return (await world.client.run({ ...file.spec, state })) as unknown as JsonObject;
    if (file.kind === 'pipeline') return (await world.client.pipelines.run({ ...file.spec, state })).state;
    throw new Error('configuration does not run');
  }

  test.each(Object.keys(SCENARIOS).filter((name) => !(name in WAITING)))('%s runs as written', async (name) => {
    const scenario = SCENARIOS[name]!;
    const before = scripted.ledger.filter(({ kind }) => kind === 'request').length;
    replies = [...scenario.replies];
    const outcome = await run(fileOf(name), scenario);
    expect(isJsonObject(outcome)).toBe(true);
    expect(outcome).toMatchObject(scenario.expected);
    expect(replies).toEqual([]);
    const requests = scripted.ledger.filter(({ kind }) => kind === 'request').slice(before);
    expect(requests.length).toBe(scenario.asked.length);
    for (const [index, pattern] of scenario.asked.entries()) {
      expect(JSON.stringify(requests[index]!.body!.messages)).toMatch(pattern);
    }
  });

  const POPULATIONS = Object.keys(CONFIGURATION).filter((name) => name.startsWith('reflection-triggers.md'));

  test.each(POPULATIONS)('%s says as written when agents of a population reflect', async (name) => {
    const file = parseFile(fenceOf(name), 'seed.yaml');
    if (file.kind !== 'config' || !file.config.globalConfig?.reflection)
      throw new Error(`${name} is no configuration of reflection`);
    const { reflection } = file.config.globalConfig;
    const agents = [
      { id: 'h', type: 'household_owner' },
      { id: 'g', type: 'government' },
    ];
    const handle = await world.client.temporal.workflow.start('agentReflection', {
      taskQueue: world.client.taskQueue,
      workflowId: `agents-${name}`,
      args: [{ agents, config: { reflection }, model: 'gpt-4' }],
    });
    // By `hybrid`, the model is asked.
    const learned = [
      'a flood',
      'elevated',
      ...(name.endsWith(':204') ? ['bought out'] : []),
      'a policy',
      'years',
      'years',
    ];
    replies = [...learned];
    const context = (decision: string) => ({ agentId: 'h', context: { decision } });
    const policy = (policyChangeMagnitude: number) => ({ context: { policyChangeMagnitude } });
    const answers: number[] = [];
    for (const event of [
      { kind: 'crisis', year: 3, agentId: 'h' },
      { kind: 'decision', year: 3, ...context('elevate_house') },
      { kind: 'decision', year: 3, ...context('buyout_program') },
      { kind: 'institutional', year: 4, ...policy(0.05) },
      { kind: 'institutional', year: 4, ...policy(-0.06) },
      { kind: 'periodic', year: 4 },
      { kind: 'periodic', year: 5 },
    ]) {
      const { reflected } = await handle.executeUpdate<TriggerAnswer, [object]>('trigger', { args: [event] });
      answers.push(reflected.length);
    }
    expect(answers).toEqual([1, 1, reflection.triggers.decisionTypes.includes('buyout_program') ? 1 : 0, 0, 1, 0, 2]);
    expect(replies).toEqual([]);
    await handle.signal('finish');
    const report = (await handle.result()) as AgentReflectionReport;
    expect(report.reflections.every(({ importance }) => importance >= reflection.importanceBoost)).toBe(true);
    expect(report.reflections.map(({ method }) => method)).toEqual(learned.map(() => 'llm'));
    expect(report.reflections[0]!.insight).toBe('[Reflection Y3] a flood');
  });
});
