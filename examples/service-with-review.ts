/**
 * A service that starts a loop for each request, once, reports on it, and has the review page. Needs a Temporal server and a worker:
 *
 *     npx reflect server
 *     npx reflect worker
 *     npx tsx examples/service-with-review.ts
 *     curl -X PUT -d 'the kettle from order K-00123 leaks' localhost:8080/replies/ticket-17
 *     curl localhost:8080/replies/ticket-17
 *
 * Then open http://localhost:8080/review. Users sign in with Basic authentication here, for brevity: use what your service has.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  DifferentSpecError,
  NoAnswerError,
  ReflectionClient,
  type ReflectionSpec,
  RunNotFoundError,
} from 'durable-reflection';
import { createReviewHandler, nodeListener } from 'durable-reflection/review';

/** The loop: a reply to a customer, which a person sees before it is sent. */
export function replySpec(message: string): ReflectionSpec {
  return {
    name: 'reviewed-reply',
    task: 'Draft a friendly reply to a customer, of at most 80 words, that promises nothing.',
    state: { message },
    generator: { action: 'llm.call', prompt: '{{ task }}\n\nMessage:\n{{ state.message }}' },
    evaluator: { type: 'regex', pattern: '^[^]{20,600}$', message: 'write 20 to 600 characters' },
    review: { when: 'every_iteration' },
  };
}

/** Reviewers and their passwords, such as `REVIEWERS=robin:secret,kim:other`. */
export type Reviewers = ReadonlyMap<string, string>;

function signedIn(request: Request, reviewers: Reviewers): string | undefined {
  const [, encoded = ''] = /^Basic (.+)$/.exec(request.headers.get('authorization') ?? '') ?? [];
  const [name = '', ...password] = Buffer.from(encoded, 'base64').toString().split(':');
  return reviewers.get(name) === password.join(':') ? name : undefined;
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function answer(client: ReflectionClient, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, id] = /^\/replies\/([\w-]{1,100})$/.exec(request.url ?? '') ?? [];
  if (id === undefined) return sendJson(response, 404, { error: 'PUT or GET /replies/<id>' });
  if (request.method === 'PUT') {
    // A request that is sent again finds the run that the first one started.
    await client.startOnce(id, replySpec(await text(request)));
    return sendJson(response, 202, { id });
  }
  const found = await client.get(id, { timeout: '3s' }).catch((error: unknown) => {
    // While no worker is up, such as during a deployment, nobody knows the progress of a run that goes on.
    if (error instanceof NoAnswerError) return undefined;
    throw error;
  });
  if (!found) return sendJson(response, 200, { status: 'running' });
  if (found.status === 'failed') return sendJson(response, 500, { status: found.status, error: found.error.message });
  if (found.status === 'running') return sendJson(response, 200, { status: found.status, phase: found.progress.phase });
  const { finalOutput, success, convergenceReason } = found.result;
  // A draft that nobody accepted is no reply.
  const reply = success ? { reply: finalOutput } : { reason: convergenceReason };
  return sendJson(response, 200, { status: found.status, success, ...reply });
}

function sendError(response: ServerResponse, error: Error): void {
  const status = error instanceof DifferentSpecError ? 409 : error instanceof RunNotFoundError ? 404 : 500;
  sendJson(response, status, { error: error.message });
}

/** The service. Its state is in Temporal: any instance answers for a run that another one started. */
export function reviewedService(client: ReflectionClient, reviewers: Reviewers): Server {
  const review = nodeListener(createReviewHandler(client, { reviewer: (request) => signedIn(request, reviewers) }));
  return createServer((request, response) => {
    if (!/^\/review(?:[/?]|$)/.test(request.url ?? '')) {
      answer(client, request, response).catch((error: Error) => sendError(response, error));
      return;
    }
    // A browser asks for the name and the password when it reads this.
    if (request.headers.authorization === undefined) response.setHeader('www-authenticate', 'Basic realm="review"');
    review(request, response);
  });
}

if (process.argv[1]?.endsWith('service-with-review.ts')) {
  const pairs = (process.env['REVIEWERS'] ?? '').split(',').filter((pair) => pair.includes(':'));
  const reviewers = new Map(pairs.map((pair) => [pair.split(':', 1)[0]!, pair.slice(pair.indexOf(':') + 1)]));
  void ReflectionClient.connect().then((client) => {
    const port = Number(process.env['PORT'] ?? 8080);
    const where = `http://localhost:${port}/review`;
    reviewedService(client, reviewers).listen(port, () => console.log(`The review page: ${where}`));
  });
}
