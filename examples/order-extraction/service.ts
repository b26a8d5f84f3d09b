/**
 * A service that turns e-mails into orders, with runs that outlive it. Needs a Temporal server and worker.ts:
 *
 *     npx tsx examples/order-extraction/service.ts
 *     curl --data-binary @examples/order-extraction/order-email.txt localhost:8080/orders     # prints the order's id
 *     curl localhost:8080/orders/ID                                                         # prints its state
 *     curl -d '{"by": "Ines"}' localhost:8080/orders/ID/accept                              # if it waits for a person
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import {
  CommandRefusedError,
  loadSpec,
  ReflectionClient,
  type ReflectionSpec,
  RunNotFoundError,
} from 'durable-reflection';
import { order } from './rules';

/** The spec of the YAML file, for one e-mail. @param today ISO date */
export async function orderSpec(email: string, today: string): Promise<ReflectionSpec> {
  return { ...(await loadSpec(join(__dirname, 'order-extraction.yaml'))), state: { email, today } };
}

interface Answer {
  status: number;
  body: object;
}

/** Ends a waiting run with its best version, after a person has reviewed it. */
async function accept(client: ReflectionClient, id: string, request: IncomingMessage): Promise<Answer> {
  const said = z
    .object({ by: z.string().min(1), reason: z.string().optional() })
    .safeParse(jsonOf(await text(request)));
  if (!said.success) return { status: 400, body: { error: 'say who accepts: {"by": …}' } };
  await client.accept(id, said.data);
  return orderOf(client, id);
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The order, or the state of its run; `waiting` means for a person. */
async function orderOf(client: ReflectionClient, id: string): Promise<Answer> {
  const { phase, iteration, best, waitingFor } = await client.progress(id);
  if (phase !== 'done') return { status: 202, body: { id, phase, iteration, best, waitingFor } };
  const { success, finalOutput, convergenceReason, history } = await client.result(id);
  // A version that a person accepted may break a rule: it is returned unchanged, with its issues.
  const read = order.safeParse(finalOutput);
  if (!success || !read.success) return { status: 422, body: { id, convergenceReason } };
  return { status: 200, body: { id, order: read.data, convergenceReason, people: history.people } };
}

/** The service. @param today returns the current ISO date */
export function orderService(
  client: ReflectionClient,
  today = (): string => new Date().toISOString().slice(0, 10),
): Server {
  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const [, room, id, verb] = (request.url ?? '').split('/');
    const route = `${request.method} ${room}${id ? '/ID' : ''}${verb ? `/${verb}` : ''}`;
    if (route === 'POST orders') {
      const { workflowId } = await client.start(await orderSpec(await text(request), today()), {
        workflowId: `order-${randomUUID()}`,
      });
      return { status: 202, body: { id: workflowId } };
    }
    if (route === 'GET orders/ID') return orderOf(client, id!);
    if (route === 'POST orders/ID/accept') return accept(client, id!, request);
    return { status: 404, body: { error: 'there is nothing here' } };
  };
  return createServer((request, response) => {
    const reply = ({ status, body }: Answer) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(body)}\n`);
    answer(request).then(reply, (error: Error) => reply({ status: statusOf(error), body: { error: error.message } }));
  });
}

function statusOf(error: Error): number {
  if (error instanceof RunNotFoundError) return 404;
  return error instanceof CommandRefusedError ? 409 : 500;
}

if (require.main === module) {
  void ReflectionClient.connect().then((client) => {
    orderService(client).listen(8080, () => console.log('POST an e-mail to http://localhost:8080/orders'));
  });
}
