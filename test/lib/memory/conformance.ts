import type { NewInsight } from '../../../src/lib/memory/insight';
import type { Memory, MemoryOptions } from '../../../src/lib/memory';

const NOW = Date.now();
const HOUR = 60 * 60 * 1_000;
const hoursAgo = (hours: number): string => new Date(NOW - hours * HOUR).toISOString();

let count = 0;

/** An insight of its own iteration, unless the case says otherwise. */
export function anInsight(text: string, more: Partial<NewInsight> = {}): NewInsight {
  return {
    text,
    agent: 'ada',
    importance: 0.5,
    type: 'loop',
    source: 'reflection',
    createdAt: hoursAgo(1),
    provenance: { workflowId: 'w', run: 'r', iteration: ++count, kind: 'lesson' },
    ...more,
  };
}

/** What every memory does, whatever its database is. Each case has a tenant of its own. */
export function describeMemory(name: string, open: (options?: MemoryOptions) => Promise<Memory>): void {
  describe(`memory in ${name}`, () => {
    let memory: Memory;
    let tenant: string;
    let tenants = 0;

    beforeAll(async () => {
      memory = await open();
    });
    afterAll(() => memory?.close());
    beforeEach(() => {
      tenant = `tenant-${++tenants}`;
    });

    const recalled = async (request: Partial<Parameters<Memory['recall']>[0]> = {}): Promise<string[]> => {
      const found = await memory.recall({ tenant, agent: 'ada', limit: 5, ...request });
      return found.map(({ text }) => text);
    };

    test('an insight comes back as it was written', async () => {
      const insight = anInsight("It's \\ “quoted” 🌊\0 %_ $1", {
        tags: ['a', 'b"c', "d'e"],
        expiresAt: hoursAgo(-1),
        importance: 0.25,
      });
      const [stored] = await memory.store(tenant, [insight]);
      expect(stored).toEqual({ id: expect.stringMatching(/^[0-9a-f]{24}$/), isNew: true });
      const [back] = await memory.list({ tenant, limit: 10 });
      expect(back).toEqual({ ...insight, id: stored!.id, text: insight.text.replace('\0', '') });
    });

    test('an agent is found by the name that it was kept under, whatever its characters', async () => {
      const agent = "a\0d'a 🌊%";
      await memory.store(tenant, [anInsight('odd', { agent })]);
      expect(await recalled({ agent })).toEqual(['odd']);
      expect((await memory.list({ tenant, agent, limit: 10 })).length).toBe(1);
      expect(await memory.forget({ tenant, agent })).toBe(1);
    });

    test('what is written again, changed or not, stays as it was first written', async () => {
      const first = anInsight('first');
      const other = { ...first, provenance: { ...first.provenance, kind: 'other' } };
      const [stored] = await memory.store(tenant, [first]);
      const again = await memory.store(tenant, [{ ...first, text: 'second' }, other, other]);
      expect(again.map(({ isNew }) => isNew)).toEqual([false, true, true]);
      expect(again[0]!.id).toBe(stored!.id);
      expect((await memory.list({ tenant, limit: 10 })).map(({ text }) => text)).toEqual(['first', 'first']);
    });

    test('written by many at once, it is there once', async () => {
      const insights = Array.from({ length: 5 }, (_, index) => anInsight(`lesson ${index}`));
      const tries = await Promise.all(Array.from({ length: 20 }, () => memory.store(tenant, insights)));
      expect(tries.flat().filter(({ isNew }) => isNew)).toHaveLength(5);
      expect(await memory.list({ tenant, limit: 100 })).toHaveLength(5);
    });

    test('recency, importance and relevance each decide where they alone count', async () => {
      const only = (weights: { recency?: number; importance?: number; relevance?: number }) =>
        recalled({
          limit: 1,
          query: 'flooded cellars',
          weights: { recency: 0, importance: 0, relevance: 0, ...weights },
        });
      await memory.store(tenant, [
        anInsight('The roof is new', { createdAt: hoursAgo(0.1), importance: 0.1 }),
        anInsight('The loan is paid', { createdAt: hoursAgo(2_000), importance: 0.9 }),
        anInsight('A flood reached the cellar', { createdAt: hoursAgo(1_000), importance: 0.2 }),
      ]);
      expect(await only({ recency: 1 })).toEqual(['The roof is new']);
      expect(await only({ importance: 1 })).toEqual(['The loan is paid']);
      expect(await only({ relevance: 1 })).toEqual(['A flood reached the cellar']);
      expect(await recalled({ query: 'flooded cellars', limit: 2 })).toHaveLength(2);
    });

    test('the parts of the score are told, and recency halves with its half-life', async () => {
      await memory.store(tenant, [anInsight('A flood', { createdAt: hoursAgo(30 * 24), importance: 0.4 })]);
      const [found] = await memory.recall({ tenant, agent: 'ada', limit: 1, query: 'flood', at: new Date(NOW) });
      expect(found!.recency).toBeCloseTo(0.5, 5);
      expect(found!.relevance).toBe(1);
      expect(found!.score).toBeCloseTo(1.9, 5);
    });

    test('what is old and dull is found by its words among hundreds', async () => {
      const many = Array.from({ length: 600 }, (_, index) => anInsight(`A quiet day, number ${index}`));
      const rare = anInsight('The pump of the neighbour broke', { createdAt: hoursAgo(10_000), importance: 0 });
      await memory.store(tenant, [rare, ...many]);
      const weights = { recency: 0.1, importance: 0.1 };
      expect(await recalled({ query: "Where are the neighbours' pumps on a quiet day?", limit: 1, weights })).toEqual([
        rare.text,
      ]);
    });

    test.each([
      '',
      ' ',
      'the of and',
      "'; DROP TABLE reflect_insights; --",
      "a & | ! ( ' \\ :*",
      '\0',
      'x'.repeat(1e5),
    ])('a query of any kind finds something: %#', async (query) => {
      await memory.store(tenant, [anInsight('something')]);
      expect(await recalled({ query })).toEqual(['something']);
    });

    test('tenants and agents are apart', async () => {
      const insight = anInsight('mine');
      await memory.store(tenant, [insight]);
      await memory.store(`${tenant}-b`, [{ ...insight, text: 'theirs' }]);
      await memory.store(tenant, [anInsight('of bob', { agent: 'bob' })]);
      expect(await recalled()).toEqual(['mine']);
      expect(await recalled({ tenant: `${tenant}-b` })).toEqual(['theirs']);
      expect(await memory.forget({ tenant, agent: 'ada' })).toBe(1);
      expect(await recalled({ tenant: `${tenant}-b` })).toEqual(['theirs']);
      expect(await recalled({ agent: 'bob' })).toEqual(['of bob']);
    });

    test('what has expired is not recalled, and what has not is', async () => {
      await memory.store(tenant, [
        anInsight('gone', { expiresAt: hoursAgo(0.5) }),
        anInsight('still there', { expiresAt: hoursAgo(-1) }),
      ]);
      expect(await recalled()).toEqual(['still there']);
      expect(await memory.list({ tenant, limit: 10 })).toHaveLength(1);
      expect(await recalled({ at: new Date(NOW + 2 * HOUR) })).toEqual([]);
    });

    test('an insight that does not say when it expires does so as its memory says', async () => {
      const brief = await open({ expiresAfterMs: 2 * HOUR });
      await brief.store(tenant, [
        anInsight('old', { createdAt: hoursAgo(3) }),
        anInsight('fresh'),
        anInsight('says itself', { createdAt: hoursAgo(3), expiresAt: hoursAgo(-1) }),
      ]);
      const found = await brief.list({ tenant, limit: 10 });
      expect(found.map(({ text, expiresAt }) => [text, expiresAt])).toEqual([
        ['fresh', hoursAgo(-1)],
        ['says itself', hoursAgo(-1)],
      ]);
      await brief.close();
    });

    test('forgotten things do not come back by a late retry', async () => {
      const [secret, rest] = [anInsight('a secret'), anInsight('the rest')];
      const [stored] = await memory.store(tenant, [secret, rest]);
      expect(await memory.forget({ tenant, id: stored!.id })).toBe(1);
      expect(await memory.forget({ tenant, id: stored!.id })).toBe(0);
      expect((await memory.store(tenant, [secret]))[0]).toEqual({ id: stored!.id, isNew: false });
      expect(await recalled()).toEqual(['the rest']);
      expect(await memory.forget({ tenant, before: new Date(NOW) })).toBe(1);
      await expect(memory.forget({ tenant })).rejects.toThrow(/Say what/);
    });

    test('an agent keeps so many, the important and the recent ones', async () => {
      const small = await open({ maxPerAgent: 3 });
      const insights = [
        anInsight('dull and old', { importance: 0.2, createdAt: hoursAgo(2_000) }),
        anInsight('important', { importance: 0.9 }),
        anInsight('new', { importance: 0.4, createdAt: hoursAgo(0) }),
        anInsight('average', { importance: 0.4 }),
      ];
      for (const insight of insights) await small.store(tenant, [insight]);
      await small.store(tenant, [insights[0]!]);
      const kept = (await small.list({ tenant, limit: 10 })).map(({ text }) => text);
      expect(kept.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(['average', 'important', 'new']);
      await small.close();
    });
  });
}
