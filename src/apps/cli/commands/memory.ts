import { omitUndefined } from '../../../lib/base/defined';
import type { Insight } from '../../../lib/memory/insight';
import { type Memory, memoryFrom, type MemoryOptions } from '../../../lib/memory';
import { CliError } from '../support/cli-error';
import { durationOf } from '../support/options';
import { count, oneLine } from '../views/printable';
import { printText, printAside, writeJson } from '../terminal/say';
import { plainTable } from '../terminal/table';
import { messageOf } from '../../../lib/base/message-of';

interface MemoryCommandOptions {
  tenant: string;
  json?: boolean;
}

interface MemoryListOptions extends MemoryCommandOptions {
  agent?: string;
  limit: number;
}

interface MemorySearchOptions extends MemoryCommandOptions {
  agent: string;
  limit: number;
}

interface MemoryEmbedOptions extends MemoryCommandOptions {
  limit: number;
}

interface MemoryForgetOptions extends MemoryCommandOptions {
  id?: string;
  agent?: string;
  olderThan?: string;
}

async function withMemory<T>(work: (memory: Memory) => Promise<T>, options: MemoryOptions = {}): Promise<T> {
  const memory = memoryFrom(process.env, options);
  try {
    return await work(memory);
  } finally {
    await memory.close();
  }
}

/** Options of the configured embedder. The vendor's client loads slowly, and most users have no embeddings. */
function embedding(): MemoryOptions {
  if (!process.env['REFLECT_EMBEDDING_MODEL']) return {};
  const { environmentEmbedder } = require('../../../worker/embedder') as typeof import('../../../worker/embedder');
  const embedder = environmentEmbedder(process.env);
  return {
    ...(embedder && { embedder }),
    onEmbeddingFailure: (error) =>
      printAside(`The embedding model failed, so words decide: ${oneLine(messageOf(error))}`),
  };
}

function show(insights: readonly (Insight & { score?: number })[], json: boolean | undefined, none: string): void {
  if (json) return writeJson(insights);
  if (insights.length === 0) return printText(none);
  const rows = insights.map(({ id, agent, createdAt, importance, score, text }) => [
    id,
    oneLine(agent, 60),
    createdAt.replace('T', ' ').slice(0, 16),
    importance.toFixed(2),
    ...(score === undefined ? [] : [score.toFixed(2)]),
    oneLine(text),
  ]);
  const scored = insights[0]?.score === undefined ? [] : ['score'];
  printText(
    plainTable(['id', 'agent', 'learned (UTC)', 'importance', ...scored, 'insight'], rows, {
      whole: ['id'],
      spare: ['importance', 'learned (UTC)', 'agent'],
    }),
  );
}

export async function memoryList({ tenant, agent, limit, json }: MemoryListOptions): Promise<number> {
  return withMemory(async (memory) => {
    const insights = await memory.list(omitUndefined({ tenant, limit, agent }));
    show(insights, json, 'Nothing was learned yet.');
    return 0;
  });
}

export async function memorySearch(
  words: readonly string[],
  { tenant, agent, limit, json }: MemorySearchOptions,
): Promise<number> {
  return withMemory(async (memory) => {
    show(await memory.recall({ tenant, agent, limit, query: words.join(' ') }), json, `${agent} remembers nothing.`);
    return 0;
  }, embedding());
}

export async function memoryEmbed({ tenant, limit, json }: MemoryEmbedOptions): Promise<number> {
  if (!process.env['REFLECT_EMBEDDING_MODEL']) {
    throw new CliError('NoEmbeddingModel', 'There is no model to embed with.', 'Name one in REFLECT_EMBEDDING_MODEL.');
  }
  return withMemory(async (memory) => {
    const embedded = await memory.embed({ tenant, limit });
    if (json) writeJson({ embedded });
    else printText(`Embedded ${count(embedded, 'insight')}.`);
    return 0;
  }, embedding());
}

export async function memoryForget({ tenant, id, agent, olderThan, json }: MemoryForgetOptions): Promise<number> {
  if (id === undefined && agent === undefined && olderThan === undefined) {
    throw new CliError('NothingNamed', 'What is to be forgotten?', 'Say --id, --agent or --older-than.');
  }
  const before = olderThan === undefined ? undefined : new Date(Date.now() - durationOf(olderThan));
  return withMemory(async (memory) => {
    const forgotten = await memory.forget(omitUndefined({ tenant, id, agent, before }));
    if (json) writeJson({ forgotten });
    else printText(`Forgot ${count(forgotten, 'insight')}.`);
    return 0;
  });
}
