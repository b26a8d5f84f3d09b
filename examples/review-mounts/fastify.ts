/** The review page in Fastify, below `/review`: `fastifyApp(createReviewHandler(client, { path: '/review', reviewer }))`. */
import { type Handler, nodeListener } from 'durable-reflection/review';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';

export function fastifyApp(pages: Handler): FastifyInstance {
  const app = fastify();
  const listener = nodeListener(pages);
  void app.register(async (scope) => {
    // Fastify answers forms with 415 unless it has a parser for them: here the listener reads them itself.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    const show = (request: FastifyRequest, reply: FastifyReply): void => {
      reply.hijack();
      listener(request.raw, reply.raw);
    };
    scope.all('/review', show);
    scope.all('/review/*', show);
  });
  app.get('/health', async () => 'up');
  return app;
}
