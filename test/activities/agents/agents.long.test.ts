import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createActionRegistry } from '../../../src/actions/registry';
import { createActivities } from '../../../src/activities';
import type { Occasion } from '../../../src/kinds/agents/state/insight-text';
import { NO_USAGE } from '../../../src/lib/base/tokens';
import { type Memory, openMemory } from '../../../src/lib/memory';
import type { ChatRequest, Models } from '../../../src/lib/models/types';

const workflowExecution = { workflowId: 'valley', runId: 'any' };
const place = { run: 'first-run', topK: 5 };

const occasion = (agentId: string, more: Partial<Occasion> = {}): Occasion => ({
  agentId,
  agentType: 'household_owner',
  year: 3,
  trigger: 'crisis',
  event: 'a flood',
  memories: [],
  ...more,
});

describe('what agents remember, in a memory that outlives runs', () => {
  let folder: string;
  let memory: Memory;
  let activities: ReturnType<typeof createActivities>;
  const asked: ChatRequest[] = [];
  const models: Models = {
    problem: () => undefined,
    hasPrice: () => true,
    refuses: () => undefined,
    call: async (request) => {
      asked.push(request);
      return { text: ' I learned. ', cutOff: false, usage: NO_USAGE };
    },
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reflect-agents-'));
    memory = openMemory({ folder: join(folder, 'memory') });
    activities = createActivities({
      models,
      memory,
      actions: createActionRegistry([]),
      searchAttributes: () => Promise.resolve(false),
    });
    // The first use makes the database, which takes longer on a busy machine than a recall is waited for.
    await memory.list({ tenant: 'nobody', agent: 'nobody', limit: 1 });
  }, 60_000);
  afterAll(async () => {
    await memory.close();
    await rm(folder, { recursive: true });
  });

  const run = async <T>(work: () => Promise<T>): Promise<T> =>
    new MockActivityEnvironment({ workflowExecution }).run(work);
  const { namespace: tenant } = new MockActivityEnvironment().context.info;
  const kept = (agentId: string) => memory.list({ tenant, agent: `valley/${agentId}`, limit: 100 });

  test('a slow memory is asked for a few seconds only, whatever the size of the batch', async () => {
    let recalls = 0;
    const slow = {
      store: async (_tenant: string, insights: readonly unknown[]) => insights.map((_, index) => ({ id: `${index}` })),
      recall: async () => {
        recalls += 1;
        // Each answers in time to count as present; ten of them take longer than a local activity has.
        await new Promise((resolve) => setTimeout(resolve, 3_000));
        return [];
      },
    };
    const { reflectByTemplate } = createActivities({
      models,
      memory: slow as never,
      actions: createActionRegistry([]),
      searchAttributes: () => Promise.resolve(false),
    });
    const occasions = Array.from({ length: 12 }, (_, index) => occasion(`a${index}`));
    const outcomes = await run(() =>
      reflectByTemplate({ ...place, event: 1, occasions, importance: occasions.map(() => 0.5) }),
    );
    expect([outcomes.length, recalls]).toEqual([12, 3]);
  }, 30_000);

  test('by template: an insight with label, importance, type and source, once however often it is tried', async () => {
    const input = { ...place, event: 1, occasions: [occasion('a'), occasion('b')], importance: [0.95, 0.85] };
    const first = await run(() => activities.reflectByTemplate(input));
    for (let attempt = 2; attempt <= 20; attempt += 1) {
      expect(await run(() => activities.reflectByTemplate(input))).toEqual(first);
    }
    expect(await kept('a')).toMatchObject([
      {
        id: first[0]!.id,
        text: expect.stringMatching(/^\[Reflection Y3\] As a household owner, after the crisis \(a flood\)/),
        importance: 0.95,
        type: 'reflection',
        source: 'template',
        provenance: { workflowId: 'valley', run: 'first-run', iteration: 1, kind: 'agent:a' },
      },
    ]);
    expect((await kept('b')).length).toBe(1);
    expect(asked).toEqual([]);
  });

  test('what a model said is kept once, and five memories at most are told to it, fenced, in one call', async () => {
    for (let event = 2; event <= 8; event += 1) {
      const insights = [
        { occasion: occasion('c', { year: event }), text: `lesson ${event}`, importance: 0.9, source: 'llm' },
      ];
      const [id] = (await run(() => activities.remember({ ...place, event, insights })))!;
      expect(await run(() => activities.remember({ ...place, event, insights }))).toEqual([id]);
    }
    expect((await kept('c')).length).toBe(7);
    const memories = ['Year 8: the river rose', 'Year 7: it rained', 'Year 6: it was dry'];
    const said = await run(() =>
      activities.reflectAgent({ ...place, event: 9, occasion: occasion('c', { year: 9, memories }), timeoutMs: 1_000 }),
    );
    expect(said).toMatchObject({ value: { text: 'I learned.' } });
    expect(asked.length).toBe(1);
    const [, material] = /<<<MATERIAL \w+\n([^]*)\n\w+ MATERIAL>>>/.exec(asked[0]!.messages[0]!.content)!;
    const told = (JSON.parse(material!) as { memories: string[] }).memories;
    expect(told.length).toBe(5);
    expect(told.filter((one) => one.startsWith('lesson ')).length).toBe(3);
    expect(told.slice(3)).toEqual(memories.slice(0, 2));
  });

  test('agents of another population remember nothing of it', async () => {
    const input = { ...place, event: 1, occasions: [occasion('c')], importance: [0.9] };
    const other = new MockActivityEnvironment({ workflowExecution: { workflowId: 'another', runId: 'any' } });
    const reflect = () => activities.reflectByTemplate({ ...input, run: 'other-run' });
    const [insight] = (await other.run(reflect)) as Awaited<ReturnType<typeof reflect>>;
    expect(insight!.text).not.toContain('lesson');
    expect((await kept('c')).length).toBe(7);
  });
});
