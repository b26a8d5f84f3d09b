import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { reviewedService } from '../../examples/service-with-review';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { eventually } from '../../testing/support/eventually';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';

let model: ScriptedOpenAI;
let world: LoopWorld;
let service: Server;
let origin: string;

beforeAll(async () => {
  model = await ScriptedOpenAI.start({ script: [{ reply: 'We are sorry that your kettle leaks.', times: 'always' }] });
  world = await startWorld({ models: [{ name: 'script', model: 'script', baseUrl: model.baseUrl }], memory: false });
  service = reviewedService(world.client, new Map([['robin', 'secret']])).listen(0, '127.0.0.1');
  await once(service, 'listening');
  origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
}, 120_000);
afterAll(async () => {
  service.closeAllConnections();
  service.close();
  await world.close();
  await model.close();
});

const asRobin = { authorization: `Basic ${Buffer.from('robin:secret').toString('base64')}` };
const ask = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(`${origin}${path}`, { redirect: 'manual', ...init });
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const decide = (path: string, form: Record<string, string>, headers: Record<string, string>) =>
  ask(path, { method: 'POST', body: new URLSearchParams(form), headers: { ...asRobin, ...headers } });

test('a run is started once, reviewed by name, and reported', async () => {
  const id = `ticket-${randomUUID()}`;
  const put = (body: string) => ask(`/replies/${id}`, { method: 'PUT', body });
  expect(await put('the kettle leaks')).toMatchObject({ status: 202 });
  expect(await put('the kettle leaks')).toMatchObject({ status: 202 });
  expect(await put('another message')).toMatchObject({ status: 409, text: expect.stringContaining('another spec') });
  expect(await ask('/replies/nobody-has-this')).toMatchObject({ status: 404 });
  await eventually(
    async () => JSON.parse((await ask(`/replies/${id}`)).text) as object,
    (found) => 'phase' in found && found.phase === 'waiting',
  );

  const page = `/review/runs/${id}`;
  expect(await ask(page)).toMatchObject({ status: 401 });
  expect((await ask(page)).headers.get('www-authenticate')).toBe('Basic realm="review"');
  const seen = await ask(page, { headers: asRobin });
  expect(seen).toMatchObject({ status: 200, text: expect.stringContaining('You act as robin') });
  expect(seen.text).toContain('We are sorry that your kettle leaks.');
  // Every link is below the path of the pages.
  const links = [...seen.text.matchAll(/(?:href|action)="(\/[^"]*)"/g)].map(([, link]) => link!);
  expect(links.length).toBeGreaterThan(0);
  expect(links.filter((link) => !link.startsWith('/review/'))).toEqual([]);

  const fields = Object.fromEntries(
    [...formOf(seen.text, 'accept').matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
      ([, name, value]) => [name!, value!],
    ),
  );
  const accept = { ...fields, command: 'accept', by: 'mallory' };
  expect(await decide(page, accept, { origin: 'https://evil.example' })).toMatchObject({ status: 403 });
  expect(await decide(page, accept, { origin, 'sec-fetch-site': 'cross-site' })).toMatchObject({ status: 403 });
  expect(await decide(page, { command: 'name', by: 'mallory' }, { origin })).toMatchObject({ status: 303 });
  const done = await decide(page, accept, { origin });
  expect(done).toMatchObject({ status: 303 });
  expect(done.headers.get('location')).toBe(page);
  const { finalOutput, history } = await world.client.result(id);
  expect(finalOutput).toBe('We are sorry that your kettle leaks.');
  expect(history.people.map(({ name, by }) => [name, by])).toEqual([['accept', 'robin']]);
  expect(JSON.parse((await ask(`/replies/${id}`)).text)).toMatchObject({ status: 'completed', success: true });
}, 60_000);

/** The form of a command on a page. */
function formOf(page: string, command: string): string {
  const forms = page.split('<form').slice(1);
  return forms.find((form) => form.includes(`value="${command}"`)) ?? '';
}
