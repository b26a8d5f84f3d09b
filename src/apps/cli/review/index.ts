/**
 * The review page in a service of your own: a handler of requests, and a listener of Node's servers.
 *
 * @packageDocumentation
 */
import type { ReflectionClient } from '../../../client';
import { hostEntryProblem } from '../../../lib/base/allowed-hosts';
import {
  type FieldChecks,
  isFunction,
  isTextList,
  isTrueOrFalse,
  readFields,
  rule,
} from '../../../loop/errors/config-fields';
import { InvalidConfigError } from '../../../loop/errors/errors';
import { foreignForm, foreignHost, LOOPBACK_HOSTS } from './access';
import { places } from './node-listener';
import { Pages } from './pages';
import { type Handler, pagesHandler, respondWithText } from './pages-handler';
import { ReviewRuns } from './runs';

export { nodeListener } from './node-listener';
export type { Handler } from './pages-handler';

/** The place of the review pages, and who may use them. */
export interface ReviewHandlerOptions {
  /** Path below which the pages are, as browsers ask for it: with the path of each mount before. Default: `/review`. */
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
  /**
   * Hosts that requests may name: `app.example.com`, `*.example.com`, also with a port. Needed where `reviewer` goes by the address of
   * a request: another site may resolve its name to this service. Default: all; with `loopback`, those of the machine itself.
   */
  hosts?: readonly string[];
  /** Takes the errors that `reviewer` throws. Users see a page without them. Default: `console.error`. */
  onError?: (error: unknown) => void;
}

const OPTIONS: FieldChecks<ReviewHandlerOptions> = {
  path: rule('a path such as `/review`', (value) => /^(?:\/[\w.~-]+)+$/.test(String(value))),
  reviewer: isFunction,
  loopback: isTrueOrFalse,
  prompts: isTrueOrFalse,
  origin: rule(
    'an origin such as `https://app.example.com`',
    (value) => URL.canParse(String(value)) && new URL(String(value)).origin === value,
  ),
  hosts: (value) => isTextList(value) ?? (value as string[]).map(hostEntryProblem).find(Boolean),
  onError: isFunction,
};

/**
 * Returns a handler of the review page below a path. Forms of other origins are refused. The commands have the rights of the
 * client.
 *
 * @throws InvalidConfigError for an unknown option, and without a `reviewer`, unless the pages are on the loopback interface
 */
export function createReviewHandler(client: ReflectionClient, options: ReviewHandlerOptions): Handler {
  const { values, problems } = readFields(options, OPTIONS);
  const { path: base = '/review', reviewer, loopback = false, prompts = loopback, origin } = values;
  const message =
    'is required: without it every user who reaches the pages may decide; `loopback` allows that on 127.0.0.1';
  if (!reviewer && !loopback) problems.push({ path: '/reviewer', message });
  if (problems.length > 0) throw new InvalidConfigError(problems);
  const { hosts = loopback ? LOOPBACK_HOSTS : undefined, onError = console.error } = values;
  const handler = pagesHandler(new Pages(new ReviewRuns(client, prompts), 'reviewer'), {
    base,
    async admit(request, url) {
      const stranger = foreignHost(request, hosts) ?? foreignForm(request, origin ?? originOf(request, url));
      if (stranger !== undefined) return respondWithText(403, stranger);
      if (!reviewer) return {};
      try {
        const name = (await reviewer(request))?.trim();
        return name ? { reviewer: name } : respondWithText(401, 'These pages are for reviewers who are signed in.');
      } catch (error) {
        onError(error);
        return respondWithText(500, 'The service cannot say who you are now. Nothing was sent.');
      }
    },
  });
  places.set(handler, { base, loopback });
  return handler;
}

/** Returns the origin of a request in its browser. A proxy may end TLS, so the scheme is that of `Origin`. */
function originOf({ headers }: Request, { protocol, host }: URL): string {
  const scheme = headers.get('origin')?.startsWith('https:') ? 'https:' : protocol;
  return `${scheme}//${headers.get('host') ?? host}`;
}
