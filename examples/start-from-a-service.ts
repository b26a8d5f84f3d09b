/**
 * A service that starts a reflection loop for each request. Needs a Temporal server and a worker:
 *
 *     npx reflect server
 *     npx reflect worker
 *     npx tsx examples/start-from-a-service.ts
 *     curl -d 'the kettle from order K-00123 leaks' localhost:8080/replies
 */
import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { ReflectionClient, type ReflectionSpec } from 'durable-reflection';

/** The loop: a short reply to a customer, evaluated by its form and then by a model. */
export function replySpec(message: string): ReflectionSpec {
  return {
    name: 'reply-draft',
    task: 'Draft a reply to a customer: a subject and a friendly body of at most 80 words that promises nothing.',
    state: { message },
    generator: {
      action: 'llm.call',
      prompt: '{{ task }}\n\nReply with JSON: {"subject": …, "body": …}\n\nMessage:\n{{ state.message }}',
    },
    evaluator: [
      {
        type: 'schema',
        // A gate: no judge is paid for a draft whose form is wrong.
        gate: true,
        schema: {
          type: 'object',
          required: ['subject', 'body'],
          properties: {
            subject: { type: 'string', minLength: 5, maxLength: 80 },
            body: { type: 'string', minLength: 20, maxLength: 600 },
          },
        },
      },
      {
        type: 'llm',
        prompt:
          'Does this draft answer the message, kindly, and without a promise?\n\nMessage:\n{{ state.message }}\n\nDraft:\n{{ state.reflection_output | tojson }}',
      },
    ],
    maxIterations: 4,
  };
}

/** The service. Loops are durable and outlive it: a restarted service can fetch the result by the run's id. */
export function replyService(client: ReflectionClient): Server {
  return createServer((request, response) => {
    const answer = async () => {
      const { finalOutput, success, convergenceReason } = await client.run(replySpec(await text(request)));
      response.writeHead(success ? 200 : 422, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ reply: finalOutput, success, convergenceReason }));
    };
    answer().catch((error: Error) => response.writeHead(500).end(`${error.message}\n`));
  });
}

if (require.main === module) {
  void ReflectionClient.connect().then((client) => {
    replyService(client).listen(8080, () => console.log('POST a message to http://localhost:8080/replies'));
  });
}
