import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { brokenRules, type Order, STOCK } from '../../examples/order-extraction/rules';
import { orderService } from '../../examples/order-extraction/service';
import { orderWorker } from '../../examples/order-extraction/worker';
import { installQuietRuntime } from '../../src/apps/cli/worker/quiet-runtime';
import { ReflectionClient } from '../../src/client';
import type { ReflectionWorker } from '../../src/worker';
import { requestsOf } from '../../src/apps/testing/scripted-model/ledger';
import type { ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { eventually } from '../../testing/support/eventually';
import { testAddress } from '../../testing/support/temporal-server';

const EXAMPLE = join(__dirname, '..', '..', 'examples', 'order-extraction');
const read = (file: string): string => readFileSync(join(EXAMPLE, file), 'utf8');
const EMAIL = read('order-email.txt');
const TODAY = '2026-06-01';
const ANSWERS = JSON.parse(read('scripted-answers.json')) as (ScriptEntry & { match: string; reply: string })[];

/** What the scripted model enters when it is told what is wrong. */
const ORDER = JSON.parse(ANSWERS.find(({ match }) => match === 'You correct orders')!.reply) as Order;

describe('the example that takes orders out of e-mails', () => {
  let script: ScriptEntry[];
  let scripted: ScriptedOpenAI;
  let worker: ReflectionWorker;
  let working: Promise<void>;
  let client: ReflectionClient;
  let service: Server;

  beforeAll(async () => {
    installQuietRuntime('ERROR');
    const where = { address: testAddress(), taskQueue: `orders-${randomUUID()}` };
    const matching = (text: string) => script.find(({ match = '' }) => text.includes(match as string));
    scripted = await ScriptedOpenAI.start({ script: ({ text }) => matching(text) });
    worker = await orderWorker(where, [{ name: 'script', model: 'script', baseUrl: scripted.baseUrl }]);
    working = worker.run();
    client = await ReflectionClient.connect(where);
    service = orderService(client, () => TODAY).listen(0, '127.0.0.1');
    await once(service, 'listening');
  });
  afterAll(async () => {
    service.closeAllConnections();
    service.close();
    await client.close();
    worker.shutdown();
    await working;
    await scripted.close();
  });

  async function ask(path: string, body?: string): Promise<{ status: number; json: Record<string, unknown> }> {
    const { port } = service.address() as AddressInfo;
    const init = body === undefined ? {} : { method: 'POST', body };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
    return { status: response.status, json: (await response.json()) as Record<string, unknown> };
  }

  test('an order that breaks rules is corrected, and only then judged', async () => {
    script = ANSWERS;
    const { status, json } = await ask('/orders', EMAIL);
    expect(status).toBe(202);
    const id = json['id'] as string;
    const { history } = await client.result(id);
    const [draft, corrected] = history.versions.map(({ evaluation }) => evaluation);
    expect(history.versions).toHaveLength(2);
    expect(draft!.evaluators.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['form', 'pass'],
      ['rules', 'fail'],
    ]);
    expect(draft!.issues.map(({ path, message }) => [path, message])).toEqual([
      ['/lines/1/sku', 'there is no article "LAMP-FL"'],
      ['/lines/1/totalCents', '4 × 12900 is 51600, not 51500'],
    ]);
    expect(corrected!.evaluators.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['form', 'pass'],
      ['rules', 'pass'],
      ['faithful', 'pass'],
    ]);
    expect(history.versions.flatMap(({ warnings }) => warnings)).toEqual([]);
    // The corrector was told the broken rules, as material.
    const asked = requestsOf(scripted.ledger)[1]!
      .body!.messages.map(({ content }) => content)
      .join('\n');
    expect(asked).toMatch(/<<<ERRORS (\w+)\nthere is no article "LAMP-FL"\n\1 ERRORS>>>/);
    expect(await ask(`/orders/${id}`)).toMatchObject({
      status: 200,
      json: { order: ORDER, convergenceReason: 'quality_met' },
    });
  }, 60_000);

  test('an order that nobody gets right waits for a person, who accepts what there is', async () => {
    const late = JSON.stringify({ ...ORDER, deliveryDate: '2025-06-12' });
    script = [{ reply: late }];
    const id = (await ask('/orders', EMAIL)).json['id'] as string;
    const { json: waiting } = await eventually(
      () => ask(`/orders/${id}`),
      ({ json }) => json['phase'] === 'waiting',
    );
    expect(waiting['best']).toMatchObject({ outcome: 'fail' });
    expect(await ask(`/orders/${id}/accept`, '{}')).toMatchObject({ status: 400 });
    await client.accept(id, { by: 'Ines', reason: 'they mean next year' });
    const result = await client.result(id);
    expect(result).toMatchObject({
      success: true,
      convergenceReason: 'user_accepted',
      finalOutput: JSON.parse(late) as object,
    });
    const messages = result.finalEvaluation!.issues.map(({ message }) => message);
    expect(messages).toEqual([`2025-06-12 is before today, ${TODAY}`]);
    expect(await ask(`/orders/${id}`)).toMatchObject({
      status: 200,
      json: { order: { deliveryDate: '2025-06-12' }, people: [{ name: 'accept', by: 'Ines', applied: true }] },
    });
    expect(await ask(`/orders/${id}/accept`, '{"by": "Ole"}')).toMatchObject({ status: 409 });
    expect(await ask('/orders/nobody')).toMatchObject({ status: 404 });
  }, 60_000);
});

test.each<[string, Partial<Order>, string[]]>([
  ['nothing', {}, []],
  ['a delivery today', { deliveryDate: TODAY }, []],
  ['a delivery yesterday', { deliveryDate: '2026-05-31' }, ['/deliveryDate']],
  ['a wrong sum', { totalCents: 1 }, ['/totalCents']],
  [
    'a wrong line, and with it the sum',
    { lines: [{ ...ORDER.lines[0]!, totalCents: 1 }] },
    ['/lines/0/totalCents', '/totalCents'],
  ],
  [
    'an article that there is not',
    { lines: [{ ...ORDER.lines[0]!, sku: 'LAMP-X' }], totalCents: 58_200 },
    ['/lines/0/sku'],
  ],
])('the rules for orders find %s', (_what, changes, paths) => {
  expect(brokenRules({ ...ORDER, ...changes }, STOCK, TODAY).map(({ path }) => path)).toEqual(paths);
});
