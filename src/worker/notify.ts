import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { Receiver } from '../activities/notify';
import { urlProblem } from '../lib/external';
import { allowsPrivateAddresses } from './switches';
import type { NotifyOptions, WorkOptions } from './work-options';

const OWN_HEADERS = /^(?:content-|webhook-|idempotency-key$|accept|host$|user-agent$)/i;
const NO_SECRETS = 'errors may show it; use `notify.headers`';

/** Reads the options from the environment; undefined if it names no receiver. */
function fromEnvironment(env: NodeJS.ProcessEnv): NotifyOptions | undefined {
  const { REFLECT_NOTIFY_URL: url, REFLECT_NOTIFY_INCLUDE: include } = env;
  if (!url) return undefined;
  return { url, secretVariable: 'REFLECT_NOTIFY_SECRET', ...(include && { include: include as 'text' }) };
}

function fail(problem: string): never {
  throw new TypeError(`notify${problem}`);
}

function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch {
      fail(`.headers: "${name}" is no header, or its value cannot be one`);
    }
    if (OWN_HEADERS.test(name)) fail(`.headers: "${name}" is set by the worker`);
  }
}

/**
 * Reads the receiver of notifications from the options of a worker, or else from its environment.
 *
 * @throws TypeError for a setting that cannot be used; it names no secret
 */
export function receiverOf(
  options: Pick<WorkOptions, 'notify' | 'externalCalls'>,
  env: NodeJS.ProcessEnv,
): Receiver | undefined {
  const { notify = fromEnvironment(env), externalCalls } = options;
  if (!notify) return undefined;
  const { url, secretVariable, headers = {}, include, links = {} } = notify;
  if (typeof url !== 'string' || !URL.canParse(url)) fail('.url is no URL');
  const rules = { allowPrivateAddresses: allowsPrivateAddresses(externalCalls, env), hosts: [new URL(url).host] };
  const problem = urlProblem(url, rules, NO_SECRETS);
  if (problem !== undefined) fail(`.url ${problem}`);
  if (typeof secretVariable !== 'string' || !env[secretVariable]?.trim()) {
    fail(`.secretVariable: the variable ${JSON.stringify(secretVariable)} is not set`);
  }
  if (include !== undefined && (include as string) !== 'text') fail(`.include is "text", or left out`);
  checkHeaders(headers);
  const { webUi = env['TEMPORAL_UI_URL'], review = env['REFLECT_REVIEW_URL'] } = links;
  return {
    url,
    headers,
    includesText: include === 'text',
    ...(webUi && { webUi }),
    ...(review && { review }),
    rules,
    readSecrets: () => (env[secretVariable] ?? '').split(/\s+/).filter(Boolean),
  };
}
