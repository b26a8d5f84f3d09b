import type { Memory, MemoryOptions } from '../../../src/lib/memory';
import type { Query } from '../../../src/lib/memory/sql-database';
import { createModels } from '../../../src/lib/models';
import { embedderOf } from '../../../src/worker/embedder';
import { requestsOf } from '../../../src/apps/testing/scripted-model/ledger';
import type { ScriptedRequest, ScriptEntry } from '../../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../../src/apps/testing/scripted-model/server';
import { anInsight } from './conformance';

const DIMENSIONS = 64;
const HOUR = 60 * 60 * 1_000;

/** What the scripted model knows of the world. */
const SUBJECTS = [/cellar|basement|damp|river|wet/i, /loan|money|debt/i, /roof|tiles/i, /quiet/i];

/** Texts of one subject lie close together, those of two hardly have anything in common. */
export function vectorOf(text: string): number[] {
  const subject = SUBJECTS.findIndex((words) => words.test(text));
  return Array.from({ length: DIMENSIONS }, (_, index) => {
    const own = index % (SUBJECTS.length + 1) === subject + 1 ? 1 : 0.1;
    return own + 0.05 * Math.sin((text.charCodeAt(text.length - 1) + 1) * (index + 1));
  });
}

export function vectorsFor({ body }: Pick<ScriptedRequest, 'body'>): ScriptEntry {
  return { vectors: body.messages.map(({ content }) => vectorOf(content)) };
}

/** What every memory with a model of embeddings does, whatever its database is. */
export function describeEmbeddings(
  name: string,
  open: (options?: MemoryOptions) => Promise<Memory>,
  query: (sql: string) => ReturnType<Query>,
): void {
  describe(`relevance by embeddings in ${name}`, () => {
    let scripted: ScriptedOpenAI;
    let answer: (request: ScriptedRequest) => ScriptEntry | undefined = vectorsFor;
    let memory: Memory;
    let plain: Memory;
    let tenant: string;
    let tenants = 0;
    let asked = 0;
    const failures: unknown[] = [];

    const openWith = (model: string): Promise<Memory> => {
      const models = createModels([{ name: model, model, baseUrl: scripted.baseUrl }], {}, { circuitBreaker: false });
      return open({ embedder: embedderOf(models, model)!, onEmbeddingFailure: (error) => failures.push(error) });
    };
    beforeAll(async () => {
      scripted = await ScriptedOpenAI.start({ script: (request) => answer(request) });
      [memory, plain] = [await openWith('small'), await open()];
    });
    afterAll(async () => {
      await memory?.close();
      await plain?.close();
      await scripted?.close();
    });
    beforeEach(() => {
      tenant = `embedded-${++tenants}`;
      answer = vectorsFor;
      asked = requestsOf(scripted.ledger).length;
      failures.splice(0);
    });

    const calls = (): number => requestsOf(scripted.ledger).length - asked;
    const vectors = async (): Promise<string[]> =>
      (
        (await query(
          `SELECT text FROM reflect_vectors JOIN reflect_insights USING (sequence)
           WHERE tenant = '${tenant}' ORDER BY sequence`,
        )) as { text: string }[]
      ).map(({ text }) => text);
    const question = 'Which rooms get damp?';
    const weights = { recency: 0.1, importance: 0.1 };
    const best = async (more: Partial<Parameters<Memory['recall']>[0]> = {}, from = memory): Promise<string> =>
      (await from.recall({ tenant, agent: 'ada', limit: 1, query: question, weights, ...more }))[0]!.text;

    test('what shares no word with the query is found by its meaning, old and dull among hundreds', async () => {
      const createdAt = new Date(Date.now() - 10_000 * HOUR).toISOString();
      const flood = anInsight('The river came into the basement', { createdAt, importance: 0 });
      const roof = anInsight('Get new tiles before the winter');
      const days = Array.from({ length: 150 }, (_, index) => anInsight(`A quiet day, number ${index}`));
      await memory.store(tenant, [flood, roof, ...days]);
      // Forty texts a call.
      expect(calls()).toBe(4);
      expect(await best()).toBe(flood.text);
      expect(calls()).toBe(5);
      // Without the model the one word that is shared decides, and nothing is asked.
      expect(await best({ embed: false })).toBe(roof.text);
      expect(await best({}, plain)).toBe(roof.text);
      expect(calls()).toBe(5);
      const found = await memory.recall({ tenant, agent: 'ada', limit: 60, query: question });
      expect(found).toHaveLength(60);
      expect(found.every(({ relevance }) => relevance >= 0 && relevance <= 1)).toBe(true);
    });

    test('what was written before there was a model, or by another one, is found by its words', async () => {
      const other = await openWith('large');
      await plain.store(tenant, [anInsight('Ask who gets damp rooms')]);
      await other.store(tenant, [anInsight('Wet cellars cost money', { importance: 0.1 })]);
      await memory.store(tenant, [anInsight('Debts are paid in spring', { importance: 0.1 })]);
      const found = await memory.recall({ tenant, agent: 'ada', limit: 3, query: question });
      const relevance = Object.fromEntries(found.map((insight) => [insight.text, insight.relevance]));
      // The other model's is in meaning the closest, and does not count: it has none of the words either.
      expect(relevance).toEqual({
        'Ask who gets damp rooms': 1,
        'Wet cellars cost money': 0,
        'Debts are paid in spring': 1,
      });
      await other.close();
      // Until they are given one of this model.
      expect(await memory.embed({ tenant, limit: 1 })).toBe(1);
      expect(await vectors()).toEqual(['Wet cellars cost money', 'Debts are paid in spring']);
      expect(await memory.embed({ tenant, limit: 10 })).toBe(1);
      expect(await memory.embed({ tenant, limit: 10 })).toBe(0);
      const again = await memory.recall({ tenant, agent: 'ada', limit: 3, query: question });
      expect(again.at(-1)!.text).toBe('Debts are paid in spring');
      expect(again.at(-1)!.relevance).toBeLessThan(0.3);
      await expect(plain.embed({ tenant, limit: 1 })).rejects.toThrow('no embedder');
    });

    test('a model that fails costs the vector and nothing else; a write that is tried again makes up for it', async () => {
      answer = () => ({ status: 503 });
      const lesson = anInsight('The river came into the basement');
      const [stored] = await memory.store(tenant, [lesson]);
      expect(stored).toMatchObject({ isNew: true });
      await memory.store(tenant, [anInsight('Get new tiles')], { embed: false });
      expect(await best()).toBe('Get new tiles');
      expect(failures).toHaveLength(2);
      expect(await vectors()).toEqual([]);
      answer = vectorsFor;
      expect(await memory.store(tenant, [lesson])).toEqual([{ id: stored!.id, isNew: false }]);
      expect(await vectors()).toEqual([lesson.text]);
      answer = () => ({ status: 503 });
      await expect(memory.embed({ tenant, limit: 10 })).rejects.toMatchObject({ status: 503 });
      answer = vectorsFor;
      const before = calls();
      await memory.store(tenant, [lesson]);
      expect(calls()).toBe(before);
      expect(failures).toHaveLength(2);
    });

    test('what is forgotten, expired or crowded out leaves no vector', async () => {
      const expired = anInsight('gone', { expiresAt: new Date(Date.now() - HOUR).toISOString() });
      const [first] = await memory.store(tenant, [anInsight('first'), anInsight('second'), expired]);
      await memory.forget({ tenant, id: first!.id });
      await memory.store(tenant, [anInsight('third')]);
      expect(await vectors()).toEqual(['second', 'third']);
      const small = await open({ maxPerAgent: 1 });
      await small.store(tenant, [anInsight('fourth', { importance: 1 })]);
      expect(await vectors()).toEqual([]);
      await small.close();
    });

    test('forgotten while its vector is being made, it gets none', async () => {
      answer = (request) => ({ ...vectorsFor(request), delayMs: 100 });
      const written = memory.store(tenant, [anInsight('a secret')]);
      while (calls() === 0) await new Promise((resolve) => setTimeout(resolve, 10));
      expect(await plain.forget({ tenant, agent: 'ada' })).toBe(1);
      await written;
      expect(await vectors()).toEqual([]);
    });

    test('one that ends while the model is asked says so', async () => {
      answer = () => ({ fault: 'hang' });
      const controller = new AbortController();
      const recalling = memory.recall({
        tenant,
        agent: 'ada',
        limit: 1,
        query: question,
        signal: controller.signal,
      });
      setTimeout(() => controller.abort(), 50);
      await expect(recalling).rejects.toThrow(/abort/i);
      expect(failures).toEqual([]);
    });
  });
}
