import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createModels } from '../../../../src/lib/models';
import { requestsOf } from '../../../../src/apps/testing/scripted-model/ledger';
import { ScriptedOpenAI } from '../../../../src/apps/testing/scripted-model/server';
import { REFUSING_ROWS } from './refusing-rows';
import { REPLYING_ROWS } from './replying-rows';
import type { Row, Seen } from './row';
import { SUGGESTED_ROWS } from './suggested-rows';

async function seenOf({ habits, responses, script, config, request, calls = 2 }: Row): Promise<Seen> {
  const server = await ScriptedOpenAI.start({ script, ...(habits && { habits }), ...(responses && { responses }) });
  const seen: Seen = { replies: [], errors: [], sent: [] };
  try {
    const models = createModels([{ name: 'm', model: 'm-1', baseUrl: server.baseUrl, ...config }], {});
    for (let call = 0; call < calls; call += 1) {
      const asked = {
        messages: [{ role: 'user' as const, content: 'Write.' }],
        timeoutMs: 5_000,
        signal: new AbortController().signal,
        ...request,
      };
      await models.call(asked).then(
        (answer) => seen.replies.push(answer),
        (error: unknown) => seen.errors.push(error as Error),
      );
    }
    server.assertDone();
  } finally {
    await server.close().catch(() => undefined);
  }
  seen.sent = requestsOf(server.ledger).map(({ body }) => body!);
  return seen;
}

function expectAsTold({ check }: Row, seen: Seen): void {
  check(seen);
}

const ROWS = [...REFUSING_ROWS, ...SUGGESTED_ROWS, ...REPLYING_ROWS];

describe('servers as they are', () => {
  test.each(ROWS.map((row) => [`${row.row}: ${row.name}`, row] as const))('%s', async (_name, row) => {
    expectAsTold(row, await seenOf(row));
  });

  test('each habit is in the table of the docs', () => {
    const page = readFileSync(path.join(__dirname, '..', '..', '..', '..', 'docs', 'models.md'), 'utf8');
    const told = [...page.matchAll(/^\| (.+?) +\|/gm)].map(([, first]) => first);
    for (const habit of new Set(ROWS.map(({ row }) => row))) expect(told).toContain(habit);
  });
});
