/**
 * A page that shows a text while a model writes it, by Server-Sent Events. Needs a Temporal server and a worker:
 *
 *     npx reflect server
 *     npx reflect worker
 *     npx tsx examples/stream-to-browser.ts
 *
 * Then open http://localhost:8080. A browser that lost the connection goes on where it was, at any instance of this service.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { ReflectionClient, type ReflectionSpec, RunNotFoundError } from 'durable-reflection';

const spec: ReflectionSpec = {
  name: 'streamed-note',
  task: 'Write a note of three sentences to the neighbours about the roof repair next week.',
  generator: { action: 'llm.call', prompt: '{{ task }}' },
  evaluator: { type: 'regex', pattern: 'roof' },
  stream: true,
};

const PAGE = `<!doctype html>
<meta charset="utf-8">
<title>A text as it is written</title>
<p><button>Write</button> <span></span>
<pre></pre>
<script>
  const text = document.querySelector('pre'), state = document.querySelector('span');
  document.querySelector('button').onclick = async () => {
    const { workflowId } = await (await fetch('/runs', { method: 'POST' })).json();
    const events = new EventSource('/runs/' + encodeURIComponent(workflowId));
    const on = (type, show) => events.addEventListener(type, ({ data }) => show(JSON.parse(data)));
    text.textContent = '';
    let call;
    on('text', (event) => {
      if (event.call !== call) text.textContent = '';
      call = event.call;
      text.textContent += event.delta;
    });
    on('reset', () => (text.textContent = ''));
    on('verdict', ({ iteration, version }) => (state.textContent = 'version ' + iteration + ': ' + version.evaluation.outcome));
    on('ended', ({ output, status }) => {
      events.close();
      text.textContent = output ?? status;
    });
  };
</script>`;

/** Sends what happens in a run. The id of each event is its position, which a browser that comes back names. */
async function sendEvents(client: ReflectionClient, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const workflowId = decodeURIComponent(request.url!.slice('/runs/'.length));
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const from = request.headers['last-event-id'];
  const events = client.stream(workflowId, { signal: gone.signal, ...(typeof from === 'string' && { from }) });
  // The first event is awaited before the head is sent, so that a run that is not there is answered by 404.
  let next = await events.next();
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  for (; !next.done; next = await events.next()) {
    const { position, ...event } = next.value;
    const isRoom = response.write(`id: ${position}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    // A browser that reads slowly is waited for.
    if (!isRoom) await once(response, 'drain', { signal: gone.signal });
  }
  response.end();
}

async function answer(client: ReflectionClient, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'POST' && request.url === '/runs') {
    const { workflowId } = await client.start(spec);
    response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ workflowId }));
  } else if (request.url?.startsWith('/runs/')) {
    await sendEvents(client, request, response);
  } else {
    response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
  }
}

/** The service. It holds nothing: runs are durable, and any instance can stream any of them. */
export function streamingService(client: ReflectionClient): Server {
  return createServer((request, response) => {
    answer(client, request, response).catch((error: Error) => {
      if (response.headersSent || response.destroyed) return response.destroy();
      return response.writeHead(error instanceof RunNotFoundError ? 404 : 500).end(`${error.message}\n`);
    });
  });
}

if (require.main === module) {
  void ReflectionClient.connect().then((client) => {
    streamingService(client).listen(8080, () => console.log('Open http://localhost:8080'));
  });
}
