/**
 * The review page in a service of your own: a handler of requests, and a listener of Node's servers.
 *
 * @packageDocumentation
 */
import type { ReflectionClient } from '../../../client';
import { InvalidConfigError } from '../../../loop/errors/errors';
import { foreignForm, foreignToLoopback } from './access';
import { markLoopback } from './node-listener';
import { Pages } from './pages';
import { type Handler, pagesHandler, respondWithText } from './pages-handler';
import { ReviewRuns } from './runs';

export { nodeListener } from './node-listener';
export type { Handler } from './pages-handler';

/** The place of the review pages, and who may use them. */
export interface ReviewHandlerOptions {
  /** Path below which the pages are. Default: `/review`. */
  path?: string;
  /**
   * Returns the name of the user who sent a request, which is recorded with the command; undefined for a user who may not see
   * the pages. Required unless `loopback` is true.
   */
  reviewer?: (request: Request) => string | undefined | Promise<string | undefined>;
  /**
   * Whether the pages are on the loopback interface only, where every user of the machine may decide without a `reviewer`.
   * `nodeListener` refuses requests to other addresses of the machine, and the handler those that name another host.
   * Default: false.
   */
  loopback?: boolean;
  /**
   * Whether the pages also show prompts and replies of all model calls, with system prompts and the state of specs. Default:
   * true with `loopback`, else false.
   */
  prompts?: boolean;
  /** The origin of the pages in browsers, such as `https://app.example.com`. Default: of the request's URL and `Host`. */
  origin?: string;
}

function settingProblems({ path = '/review', reviewer, loopback = false, origin }: ReviewHandlerOptions) {
  const message =
    'is required: without it every user who reaches the pages may decide; `loopback` allows that on 127.0.0.1';
  return [
    ...(reviewer || loopback ? [] : [{ path: '/reviewer', message }]),
    ...(/^(?:\/[\w.~-]+)+$/.test(path) ? [] : [{ path: '/path', message: 'must be a path such as `/review`' }]),
    ...(origin === undefined || (URL.canParse(origin) && new URL(origin).origin === origin)
      ? []
      : [{ path: '/origin', message: 'must be an origin such as `https://app.example.com`' }]),
  ];
}

/**
 * Returns a handler of the review page below a path. Forms of other origins are refused. The commands have the rights of the
 * client.
 *
 * @throws InvalidConfigError without a `reviewer`, unless the pages are on the loopback interface
 */
export function createReviewHandler(client: ReflectionClient, options: ReviewHandlerOptions): Handler {
  const problems = settingProblems(options);
  if (problems.length > 0) throw new InvalidConfigError(problems);
  const { path: base = '/review', reviewer, loopback = false, prompts = loopback, origin } = options;
  const handler = pagesHandler(new Pages(new ReviewRuns(client, prompts), 'reviewer'), {
    base,
    async admit(request, url) {
      const stranger = loopback ? foreignToLoopback(request) : foreignForm(request, origin ?? originOf(request, url));
      if (stranger !== undefined) return respondWithText(403, stranger);
      if (!reviewer) return {};
      const name = (await reviewer(request))?.trim();
      return name ? { reviewer: name } : respondWithText(401, 'These pages are for reviewers who are signed in.');
    },
  });
  if (loopback) markLoopback(handler);
  return handler;
}

/** Returns the origin of a request in its browser. A proxy may end TLS, so the scheme is that of `Origin`. */
function originOf({ headers }: Request, { protocol, host }: URL): string {
  const scheme = headers.get('origin')?.startsWith('https:') ? 'https:' : protocol;
  return `${scheme}//${headers.get('host') ?? host}`;
}
