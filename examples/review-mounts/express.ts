/** The review page in an Express app, below `/review`: `expressApp(createReviewHandler(client, { path: '/review', reviewer }))`. */
import { type Handler, nodeListener } from 'durable-reflection/review';
import express, { type Express } from 'express';

export function expressApp(pages: Handler): Express {
  const app = express();
  // Parsers of the app may come first. A form of the pages may hold an output, and has 8 MB at most.
  app.use(express.json(), express.urlencoded({ extended: false, limit: '8mb' }));
  app.use('/review', nodeListener(pages));
  app.get('/health', (_request, response) => void response.end('up'));
  return app;
}
