import { Pool } from 'pg';
import type { NewInsight } from '../../../src/lib/memory/insight';
import { type Memory, openMemory } from '../../../src/lib/memory';
import { reflect } from '../../apps/cli/reflect-command';
import { ScriptedOpenAI } from '../../../src/apps/testing/scripted-model/server';
import { startPostgres, type TestPostgres } from '../../../testing/support/postgres';
import { postgresDatabase } from '../../../src/lib/memory/postgres-database';
import { anInsight, describeMemory } from './conformance';
import { describeEmbeddings, vectorsFor } from './embedding-conformance';

let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.stop());

describeMemory('PostgreSQL', async (options) =>
  openMemory({ ...options, connectionString: postgres.connectionString }),
);
describeEmbeddings(
  'PostgreSQL',
  async (options) => openMemory({ ...options, connectionString: postgres.connectionString }),
  async (sql) => {
    const database = postgresDatabase({ connectionString: postgres.connectionString });
    try {
      return await database.query(sql);
    } finally {
      await database.close();
    }
  },
);

describe('memory of several workers', () => {
  test('many workers that start at once make the tables once', async () => {
    const connectionString = await postgres.createDatabase('fresh');
    const workers = Array.from({ length: 8 }, () => openMemory({ connectionString }));
    const insight = anInsight('once');
    const stored = await Promise.all(workers.map((memory) => memory.store('t', [insight])));
    expect(stored.flat().filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(await workers[3]!.list({ tenant: 't', limit: 10 })).toHaveLength(1);
    await Promise.all(workers.map((memory) => memory.close()));
  });

  test('two workers, 200 insights, connections cut under them: each is there once, as after one try', async () => {
    const connectionString = await postgres.createDatabase('cut');
    const admin = new Pool({ connectionString: postgres.connectionString, max: 1 });
    admin.on('error', () => {});
    const workers = [openMemory({ connectionString }), openMemory({ connectionString })];
    await workers[0]!.store('t', [anInsight('to begin with')]);
    const insights = Array.from({ length: 200 }, (_, index) => anInsight(`lesson ${index}`));
    let failures = 0;
    /** Tries until an answer comes, as an activity is tried again. */
    const write = async (memory: Memory, insight: NewInsight): Promise<void> => {
      for (;;) {
        try {
          await memory.store('t', [insight]);
          return;
        } catch {
          failures += 1;
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      }
    };
    for (let from = 0; from < insights.length; from += 20) {
      const batch = insights.slice(from, from + 20);
      const written = Promise.all(workers.flatMap((memory) => batch.map((insight) => write(memory, insight))));
      await new Promise((resolve) => setTimeout(resolve, 10));
      await admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'cut'");
      await written;
    }
    const texts = (await workers[1]!.list({ tenant: 't', limit: 1_000 })).map(({ text }) => text);
    expect(texts).toHaveLength(201);
    expect(new Set(texts).size).toBe(201);
    expect(failures).toBeGreaterThan(0);
    await Promise.all([...workers.map((memory) => memory.close()), admin.end()]);
  });
});

describe('reflect memory', () => {
  test('lists, searches and forgets what DATABASE_URL has', async () => {
    const DATABASE_URL = await postgres.createDatabase('command');
    const memory = openMemory({ connectionString: DATABASE_URL });
    const [flood] = await memory.store('default', [
      anInsight('Floods come in spring\u001b[31m'),
      anInsight('Roofs leak'),
    ]);
    const command = (...args: string[]) => reflect(['memory', ...args], { env: { DATABASE_URL } });
    const [list, search, nothing] = await Promise.all([
      command('list'),
      command('search', 'a', 'flood', '--agent', 'ada', '--limit', '1', '--json'),
      command('forget'),
    ]);
    expect(list).toMatchObject({ code: 0, stdout: expect.stringMatching(/Floods come in spring\ufffd\[31m/) });
    expect(list.stdout).toContain('Roofs leak');
    expect(JSON.parse(search.stdout)).toMatchObject([{ id: flood!.id, relevance: 1 }]);
    expect(nothing).toMatchObject({ code: 1, stderr: expect.stringMatching(/^NothingNamed: .*\nSay --id, --agent/) });
    expect(await command('embed')).toMatchObject({ code: 1, stderr: expect.stringMatching(/REFLECT_EMBEDDING_MODEL/) });
    const scripted = await ScriptedOpenAI.start({ script: vectorsFor });
    const embeddingEnv = { DATABASE_URL, OPENAI_BASE_URL: scripted.baseUrl, REFLECT_EMBEDDING_MODEL: 'small' };
    const embedding = (...args: string[]) => reflect(['memory', ...args], { env: embeddingEnv });
    expect(await embedding('embed')).toMatchObject({ code: 0, stdout: 'Embedded 2 insights.\n' });
    const found = await embedding('search', 'tiles', '--agent', 'ada', '--limit', '1', '--json');
    expect(JSON.parse(found.stdout)).toMatchObject([{ text: 'Roofs leak', relevance: 1 }]);
    await scripted.close();
    const alone = await embedding('search', 'leaks', '--agent', 'ada', '--limit', '1');
    expect(alone).toMatchObject({ code: 0, stderr: expect.stringMatching(/words decide/) });
    expect(alone.stdout).toContain('Roofs leak');
    expect(await command('forget', '--id', flood!.id)).toMatchObject({ code: 0, stdout: 'Forgot 1 insight.\n' });
    expect((await memory.list({ tenant: 'default', limit: 9 })).map(({ text }) => text)).toEqual(['Roofs leak']);
    await memory.close();
  });
});
