/** The review page in Hono, below `/review`: `honoApp(createReviewHandler(client, { path: '/review', reviewer }))`. */
import type { Handler } from 'durable-reflection/review';
import { Hono } from 'hono';

export function honoApp(pages: Handler): Hono {
  const app = new Hono();
  // Not `app.mount('/review', pages)`, which cuts the path.
  app.all('/review', ({ req }) => pages(req.raw));
  app.all('/review/*', ({ req }) => pages(req.raw));
  app.get('/health', (context) => context.text('up'));
  return app;
}
