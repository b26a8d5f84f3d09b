import { eventOf, eventProblems } from '../../../../src/kinds/agents/state/agent-event';
import { handleEvent } from '../../../../src/kinds/agents/state/handle-event';
import { initialPopulation } from '../../../../src/kinds/agents/state/population-state';
import { parseAgentReflection, populationSettings } from '../../../../src/kinds/agents/parse/agents';
import { agents, live, population } from '../../../../testing/support/populations';

const isAgent = (id: string) => agents.some((agent) => agent.id === id);
const paths = (event: unknown) => eventProblems(event, isAgent).map(({ path }) => path);

describe('events for agents', () => {
  test('one that is right has nothing wrong with it', () => {
    expect(
      paths({ kind: 'crisis', year: 3, context: { description: 'a flood', agents: ['owner'], height: 2 } }),
    ).toEqual([]);
    expect(paths({ id: 'a', kind: 'decision', year: 3, agentId: 'owner', context: null })).toEqual([]);
  });

  test.each([
    [undefined, ['']],
    ['flood', ['']],
    [{}, ['/kind', '/year']],
    [{ kind: 'party', year: 1.5, when: 'now' }, ['/when', '/kind', '/year']],
    [{ kind: 'crisis', year: -1, agentId: 'nobody' }, ['/year', '/agentId']],
    [{ kind: 'crisis', year: 1, id: '' }, ['/id']],
    [{ kind: 'decision', year: 1 }, ['/agentId']],
    [{ kind: 'crisis', year: 1, context: 'flood' }, ['/context']],
    [
      { kind: 'crisis', year: 1, context: { agents: ['owner', 'x'], failed: 1 } },
      ['/context/agents/1', '/context/failed'],
    ],
    [{ kind: 'crisis', year: 1, context: { policy_change_magnitude: 'much' } }, ['/context/policy_change_magnitude']],
  ])('%j is refused with the paths %j', (event, expected) => {
    expect(paths(event)).toEqual(expected);
  });

  test('a context that would not fit into what a run hands over is refused', () => {
    expect(paths({ kind: 'crisis', year: 1, context: { note: 'x'.repeat(70_000) } })).toEqual(['/context']);
  });

  test('keys in snake_case mean the same, and null is nothing', () => {
    expect(
      eventOf({
        kind: 'institutional',
        year: 2,
        agentId: null,
        context: { policy_change_magnitude: 0.1, failed: null },
      }),
    ).toEqual({ kind: 'institutional', year: 2, context: { policyChangeMagnitude: 0.1 } });
  });
});

describe('who reflects upon an event', () => {
  test('a crisis is for all it concerns, institutions too; a decision for who decided; a policy for institutions', () => {
    const state = initialPopulation();
    const people = population();
    expect(live(state, people, { kind: 'crisis', year: 1 }).reflected).toEqual(['owner', 'renter', 'town', 'insurer']);
    expect(live(state, people, { kind: 'crisis', year: 1, context: { agents: ['renter'] } })).toMatchObject({
      reflected: ['renter'],
      skipped: [],
    });
    const elevated = { kind: 'decision', year: 1, agentId: 'owner', context: { decision: 'elevate_house' } } as const;
    expect(live(state, people, elevated).reflected).toEqual(['owner']);
    const policy = live(state, people, { kind: 'institutional', year: 2, context: { policyChangeMagnitude: -0.1 } });
    expect(policy.reflected).toEqual(['town', 'insurer']);
    expect(policy.skipped).toEqual([
      { agentId: 'owner', why: expect.stringContaining('no institution') },
      { agentId: 'renter', why: expect.stringContaining('no institution') },
    ]);
    expect(live(state, people, { kind: 'periodic', year: 4 }).reflected).toEqual([]);
    expect(live(state, people, { kind: 'periodic', year: 5 }).reflected.length).toBe(4);
  });

  test('five memories at most: own insights and what happened, never that of others', () => {
    const state = initialPopulation();
    const people = population();
    for (const year of [1, 2, 3, 4]) {
      live(state, people, { kind: 'crisis', year, context: { description: `flood ${year}`, agents: ['owner'] } });
    }
    const owner = live(state, people, { kind: 'periodic', year: 5, agentId: 'owner' }).occasions[0]!;
    expect(owner.memories.length).toBe(5);
    expect(owner.memories.some((text) => text.startsWith('[Reflection Y4] '))).toBe(true);
    expect(owner.memories.some((text) => text === 'Year 4: flood 4')).toBe(true);
    expect(live(state, people, { kind: 'periodic', year: 5, agentId: 'town' }).occasions[0]!.memories).toEqual([]);
    const two = population({}, { memory: { topK: 2 } });
    expect(live(state, two, { kind: 'periodic', year: 10, agentId: 'owner' }).occasions[0]!.memories.length).toBe(2);
  });

  test('with a threshold of importance, what happened adds up until an agent reflects, and then begins anew', () => {
    const state = initialPopulation();
    const people = population({ triggers: { importanceThreshold: 1 } });
    const crisis = (year: number) =>
      live(state, people, { kind: 'crisis', year, context: { importance: 0.4 } }).reflected;
    expect([crisis(1).length, crisis(2).length, crisis(3).length, crisis(4).length]).toEqual([0, 0, 4, 0]);
    expect(live(state, people, { kind: 'periodic', year: 4 }).reflected).toEqual([]);
    expect(state.importance['town']).toBe(0.4);
  });

  test('importance adds up as people add: ten times 0.1 reaches 1', () => {
    const people = population({ triggers: { importanceThreshold: 1 } });
    const state = initialPopulation();
    const event = { kind: 'crisis', year: 1, agentId: 'owner', context: { importance: 0.1 } } as const;
    const reflected = Array.from({ length: 10 }, () => live(state, people, event).reflected);
    expect(reflected).toEqual([...Array.from({ length: 9 }, () => []), ['owner']]);
  });

  test('who is named remembers what happened, as who is named reflects upon it', () => {
    const state = initialPopulation();
    const context = { decision: 'relocate', description: 'the house was sold', agents: ['renter'] };
    live(state, population(), { kind: 'decision', year: 1, agentId: 'owner', context });
    const { occasions } = live(state, population(), { kind: 'crisis', year: 2 });
    const told = occasions.filter(({ memories }) => memories.includes('Year 1: the house was sold'));
    expect(told.map(({ agentId }) => agentId)).toEqual(['owner']);
  });

  test('of many who are named each remembers what happened, and nobody else does', () => {
    const many = Array.from({ length: 999 }, (_, index) => ({ id: `h${index}`, type: 'household' }));
    const people = { ...population(), agents: many };
    const flooded = many.filter((_, index) => index % 3 === 0 || index === 998).map(({ id }) => id);
    const state = initialPopulation();
    live(state, people, { kind: 'crisis', year: 1, context: { description: 'the river rose', agents: flooded } });
    expect(JSON.stringify(state.happened).length).toBeLessThan(400);
    const { occasions } = live(state, people, { kind: 'crisis', year: 2 });
    const told = occasions.filter(({ memories }) => memories.includes('Year 1: the river rose'));
    expect(told.map(({ agentId }) => agentId)).toEqual(flooded);
  });

  test('types and ids of agents may be called like what every object has', () => {
    const odd = [{ id: 'toString', type: 'constructor' }];
    const state = initialPopulation();
    for (const year of [1, 2]) live(state, { ...population(), agents: odd }, { kind: 'crisis', year });
    expect(state.counts.byType).toEqual({ constructor: 2 });
    expect(state.insights).toEqual({ toString: [expect.anything(), expect.anything()] });
  });

  test('after a failure, whatever was decided', () => {
    const state = initialPopulation();
    const failed = {
      kind: 'decision',
      year: 1,
      agentId: 'owner',
      context: { decision: 'sandbags', failed: true },
    } as const;
    expect(live(state, population(), failed).reflected).toEqual([]);
    expect(live(state, population({ triggers: { afterFailure: true } }), failed).reflected).toEqual(['owner']);
  });

  test('with a seed the question differs between agents, and is the same each time', () => {
    const questions = (seed?: number) =>
      handleEvent(initialPopulation(), population({}, seed === undefined ? {} : { seed }), {
        kind: 'crisis',
        year: 1,
      }).occasions.map(({ question }) => question);
    expect(questions()).toEqual([undefined, undefined, undefined, undefined]);
    expect(questions(7)).toEqual(questions(7));
    expect(new Set(questions(7)).size).toBe(4);
  });
});

describe('the spec of a population', () => {
  test.each([
    [null, ['']],
    [{}, ['/agents']],
    [{ agents: [] }, ['/agents']],
    [
      {
        agents: [
          { id: 'a', type: 'b' },
          { id: 'a', type: 'b' },
        ],
      },
      ['/agents/1/id'],
    ],
    [{ agents: [{ id: '__proto__', type: 'b' }] }, ['/agents/0/id']],
    [
      { agents, config: { reflection: { method: 'magic', triggers: { crisis: 1 } } } },
      ['/config/reflection/method', '/config/reflection/triggers/crisis'],
    ],
    [{ agents, memory: { topK: 100 }, speed: 1 }, ['/memory/topK', '/speed']],
  ])('%j is refused with the paths %j', (value, expected) => {
    const parsed = parseAgentReflection(value);
    expect('problems' in parsed && parsed.problems.map(({ path }) => path).toSorted()).toEqual(expected.toSorted());
  });

  test('more model calls than a history can hold are refused', () => {
    const many = Array.from({ length: 2_001 }, (_, index) => ({ id: `h${index}`, type: 'household' }));
    const critics = ['thrift', 'safety'];
    const refused = (reflection: object) => {
      const parsed = parseAgentReflection({ agents: many, config: { reflection } });
      return 'problems' in parsed ? parsed.problems.map(({ path }) => path) : [];
    };
    expect(refused({ critics })).toEqual(['/config/reflection/critics']);
    expect(refused({ critics, method: 'template' })).toEqual([]);
    expect(refused({})).toEqual([]);
  });

  test('defaults: hybrid, batches of ten, importance 0.85, five memories', () => {
    expect(populationSettings({ agents })).toMatchObject({
      config: { method: 'hybrid', batchSize: 10, importanceBoost: 0.85 },
      topK: 5,
      timeouts: { retryForMs: 60_000 },
    });
  });
});
