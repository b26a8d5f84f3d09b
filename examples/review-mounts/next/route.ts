/** The review page in Next: `app/review/[[...path]]/route.ts` of a project whose `next.config.js` is the one beside this file. */
import { ReflectionClient } from 'durable-reflection';
import { createReviewHandler, type Handler } from 'durable-reflection/review';

let pages: Promise<Handler> | undefined;

/** Connects at the first request: a build loads this file, too. */
async function connect(): Promise<Handler> {
  const client = await ReflectionClient.connect();
  // A proxy in front of Next signs users in, and sets this header itself.
  return createReviewHandler(client, {
    path: '/review',
    reviewer: ({ headers }) => headers.get('x-user') ?? undefined,
  });
}

async function show(request: Request): Promise<Response> {
  pages ??= connect();
  try {
    return (await pages)(request);
  } catch (error) {
    pages = undefined;
    throw error;
  }
}

export { show as GET, show as POST };
