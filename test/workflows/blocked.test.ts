import { z } from 'zod';
import { judges } from '../../src/apps/testing/scripted-model/judges';
import type { ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import { defineAction } from '../../src/worker';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { eventually } from '../../testing/support/eventually';
import { WriterAndJudge } from '../../testing/support/writer-and-judge';

const UNSIGNED = 'the owner of the data has not agreed';
const SENTENCE = `A person has to give a permission: ${UNSIGNED}`;
const blocked = judges.fail(UNSIGNED, { severity: 'major', blocker: 'permission' });
const draft = { match: 'Write the letter', reply: 'Dear owner, we publish your data.' };
const second = { type: 'llm', model: 'judge' } as const;
const spec: ReflectionSpec = {
  generator: { action: 'llm.call', prompt: 'Write the letter.' },
  evaluator: { type: 'llm' },
  maxIterations: 4,
};
const signed = defineAction({
  name: 'signed',
  description: 'Whether the owner has agreed.',
  input: z.object({}).loose(),
  run: () => ({ valid: false, issues: [{ message: UNSIGNED, blocker: 'permission' }] }),
});

async function listOf({ client }: WriterAndJudge, workflowId: string) {
  for await (const entry of client.list({ query: `WorkflowId = '${workflowId}'` })) return entry;
  return undefined;
}

describe('loops that only a person can help, on a real server', () => {
  let world: WriterAndJudge;

  beforeAll(async () => {
    world = await WriterAndJudge.start({ actions: [signed] });
  });

  afterAll(() => world.close());

  const run = (entries: ScriptEntry[], more: Partial<ReflectionSpec> = {}) => world.run({ ...spec, ...more }, entries);

  test('no second version is paid for once the second judge, too, says that a permission is missing', async () => {
    const result = await run([draft, blocked, blocked], { judge: { second } });
    expect(result).toMatchObject({
      convergenceReason: 'blocked',
      success: false,
      iterationsUsed: 1,
      needs: [{ blocker: 'permission', message: UNSIGNED, sentence: SENTENCE }],
      tokenUsage: { modelCalls: 3 },
    });
    const [version] = result.history.versions;
    expect(version).toMatchObject({
      blocked: { confirmed: true, by: 'second judge' },
      evaluationUsage: { modelCalls: 2 },
    });
    expect(result.page!.join('\n')).toContain(SENTENCE);
    expect(world.bodies().at(-1)!.model).toBe('judge');
  });

  test('a loop that waits says what a person has to do, and goes on once that is given', async () => {
    world.say([draft, blocked, blocked, { reply: 'Dear owner, as you agreed.' }, judges.pass()]);
    const { workflowId } = await world.client.start({ ...spec, judge: { second }, review: { when: 'on_exhausted' } });
    const { waitingFor } = await eventually(
      () => world.client.progress(workflowId),
      ({ phase }) => phase === 'waiting',
    );
    expect(waitingFor).toMatchObject({ version: 1, needs: [{ blocker: 'permission', sentence: SENTENCE }] });
    const listed = await eventually(
      () => listOf(world, workflowId),
      (entry) => entry?.status === 'waiting',
    );
    expect(listed?.reason).toBe('blocked');
    await world.client.guide(workflowId, { text: 'The owner agreed yesterday.' });
    const result = await world.client.result(workflowId);
    expect(result).toMatchObject({ convergenceReason: 'quality_met', iterationsUsed: 2 });
    expect(result.needs).toBeUndefined();
  });

  test('without a second judge, a loop ends once the judgement of the next version says so, too', async () => {
    const another = { reply: 'Dear owner, may we publish your data?' };
    const mended = await run([draft, blocked, another, judges.pass()]);
    expect(mended).toMatchObject({ convergenceReason: 'quality_met', iterationsUsed: 2 });
    expect(mended.history.versions[0]!.blocked).toBeUndefined();
    const twice = await run([draft, blocked, another, blocked]);
    expect(twice).toMatchObject({ convergenceReason: 'blocked', iterationsUsed: 2, needs: [{ sentence: SENTENCE }] });
  });

  test('a second judge that rejects the version for something else lets the loop go on', async () => {
    const differed = await run(
      [draft, blocked, judges.fail('too short'), { reply: 'Longer.' }, judges.pass({ score: 0.99 })],
      { judge: { second } },
    );
    expect(differed).toMatchObject({ convergenceReason: 'quality_met', iterationsUsed: 2 });
    const [first] = differed.history.versions;
    expect(first).toMatchObject({ blocked: { confirmed: false, by: 'second judge' }, ranking: { failedGates: [] } });
    expect(first!.evaluation.evaluators.map(({ name }) => name)).toEqual(['llm']);
  });

  test('code that says so needs no confirmation', async () => {
    const evaluator = { type: 'function', action: 'signed' } as const;
    const result = await run([draft], { evaluator });
    expect(result).toMatchObject({ convergenceReason: 'blocked', iterationsUsed: 1, needs: [{ sentence: SENTENCE }] });
    expect(result.history.versions[0]!.blocked).toEqual({ confirmed: true });
    const alone = await world.client.evaluations.run({ data: 'x', evaluator });
    expect(alone.issues).toMatchObject([{ message: UNSIGNED, blocker: 'permission' }]);
  });

  test('judges are asked for blockers where the spec says so, and for nothing more', async () => {
    const result = await run([draft, blocked], {
      judge: { blockers: true },
      maxIterations: 1,
      evaluator: { type: 'llm', model: 'judge' },
    });
    expect(result).toMatchObject({ convergenceReason: 'max_iterations', iterationsUsed: 1 });
    const body = world.bodies().at(-1);
    expect(body!.messages[0]!.content).toMatch(/ blocker \(null if /);
    const asked = JSON.stringify(body);
    expect(asked).not.toContain('missingInformation');
    expect(asked).toContain('"enum":["information","decision","permission","external","contradiction"]');
  });

  test('a second judge that a budget leaves no call for is not asked', async () => {
    const result = await run([draft, blocked], { judge: { second }, budget: { modelCalls: 2 } });
    expect(result).toMatchObject({ convergenceReason: 'call_budget', iterationsUsed: 1 });
  });
});
