import { randomUUID } from 'node:crypto';
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { postSigned, type Receiver } from '../activities/notify';
import { readBeginning, secretsIn, secretsProblem, urlProblem } from '../lib/external';
import type { WaitNotification } from '../loop/contract/notification';
import { type FieldChecks, isObject, isText, objectWith, rule, soundFields } from '../loop/errors/config-fields';
import { allowsPrivateAddresses } from './switches';
import type { NotifyOptions, WorkOptions } from './work-options';

const OWN_HEADERS = /^(?:content-|webhook-|idempotency-key$|accept|host$|user-agent$)/i;
const NO_SECRETS = 'errors may show it; use `notify.headers`';

function fromEnvironment(env: NodeJS.ProcessEnv): NotifyOptions | undefined {
  const { REFLECT_NOTIFY_URL: url, REFLECT_NOTIFY_INCLUDE: include } = env;
  if (!url) return undefined;
  return { url, secretVariable: 'REFLECT_NOTIFY_SECRET', ...(include && { include: include as 'text' }) };
}

function headerProblem([name, value]: [string, string]): string | undefined {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch {
    return `"${name}" is no header, or its value cannot be one`;
  }
  return OWN_HEADERS.test(name) ? `"${name}" is set by the worker` : undefined;
}

function checksFor(
  { externalCalls }: Pick<WorkOptions, 'externalCalls'>,
  env: NodeJS.ProcessEnv,
): FieldChecks<NotifyOptions> {
  return {
    url: (url) => {
      if (typeof url !== 'string' || !URL.canParse(url)) return 'is no URL';
      return urlProblem(url, { allowPrivateAddresses: allowsPrivateAddresses(externalCalls, env) }, NO_SECRETS);
    },
    secretVariable: (name) => {
      const problem = secretsProblem(secretsIn(env[String(name)]));
      return problem && `the variable ${JSON.stringify(name)} ${problem}`;
    },
    headers: (headers) =>
      isObject(headers) ??
      Object.entries(headers as object)
        .map(headerProblem)
        .find(Boolean),
    include: rule('"text", or left out', (value) => value === 'text'),
    links: objectWith<NonNullable<NotifyOptions['links']>>({ webUi: isText, review: isText }),
  };
}

/**
 * Reads the receiver of notifications from the options of a worker, or else from its environment. Throws InvalidConfigError for a
 * setting that cannot be used; it names no secret.
 */
export function receiverOf(
  options: Pick<WorkOptions, 'notify' | 'externalCalls'>,
  env: NodeJS.ProcessEnv,
): Receiver | undefined {
  const { notify = fromEnvironment(env), externalCalls } = options;
  if (!notify) return undefined;
  // Fields that are left out are not checked, and these two are required.
  const required = { url: notify.url ?? null, secretVariable: notify.secretVariable ?? null };
  soundFields({ ...notify, ...required }, checksFor(options, env), '/notify');
  const { url, secretVariable, headers = {}, include, links = {} } = notify;
  const { webUi = env['TEMPORAL_UI_URL'], review = env['REFLECT_REVIEW_URL'] } = links;
  return {
    url,
    headers,
    includesText: include === 'text',
    ...(webUi && { webUi }),
    ...(review && { review }),
    rules: { allowPrivateAddresses: allowsPrivateAddresses(externalCalls, env), hosts: [new URL(url).host] },
    readSecrets: () => secretsIn(env[secretVariable]),
  };
}

/**
 * Sends a message about no run to a receiver, signed as all are. Gives its status, and what its answer begins with. Throws
 * InvalidConfigError; ExternalUnavailable and ExternalCallFailed with what else it answered.
 */
export async function sendTrial(url: string, env: NodeJS.ProcessEnv): Promise<{ status: number; text: string }> {
  const receiver = receiverOf({ notify: { url, secretVariable: 'REFLECT_NOTIFY_SECRET' } }, env)!;
  const [id, timestamp] = [`trial-${randomUUID()}`, new Date().toISOString()];
  const about = { id, workflowId: id, runId: id, name: 'trial', what: 'nothing: this message is a trial' };
  const wait = { ...about, kind: 'review', reminder: false, since: timestamp, until: timestamp, links: {} } as const;
  const body: WaitNotification = { id, type: 'wait.began', timestamp, data: { namespace: 'default', waits: [wait] } };
  const message = { id, body: JSON.stringify(body), signal: new AbortController().signal, isConfidential: false };
  return postSigned(message, receiver, async (response) => ({
    status: response.statusCode!,
    text: (await readBeginning(response)).trim(),
  }));
}
