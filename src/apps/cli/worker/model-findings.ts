import type { ModelConfig } from '../../../worker';
import { endpointFetch } from '../../../worker/endpoint-fetch';
import { type TriedModel, tryModel } from '../../../worker/running/try-model';
import { omitUndefined } from '../../../lib/base/defined';
import { shownUrl } from '../../../lib/text/secrets';
import { renderCount } from '../../../lib/text/counted';

const DEFAULT_BASE_URL = 'https://api.openai.com/v1';

export function modelEndpoint(env: NodeJS.ProcessEnv = process.env): {
  baseUrl: string;
  /** True for the provider's own endpoint, which requires a key; your own server rarely does. */
  isDefault: boolean;
  hasKey: boolean;
} {
  const configured = env['OPENAI_BASE_URL'];
  const endpoint = configured || DEFAULT_BASE_URL;
  return {
    baseUrl: URL.canParse(endpoint) ? shownUrl(endpoint).replace(/\/$/, '') : '(OPENAI_BASE_URL is not a URL)',
    isDefault: !configured,
    hasKey: Boolean(env['OPENAI_API_KEY']),
  };
}

export interface Finding {
  well: boolean;
  text: string;
  advice?: string;
  /** True for an optional package that is not installed: well, and yet nothing to rely on. */
  isAbsent?: true;
  /** True for a setting that may be right here, but deserves a look: well, and `advice` is printed nevertheless. */
  isDoubtful?: true;
}

const CALL_TIMEOUT_MS = 10_000;

const MOST_LISTED = 5;

/** A key that this process has not: a worker elsewhere may have it. */
export const KEY_ELSEWHERE =
  'That is right where a worker elsewhere has the key, and wrong where the worker starts from here.';

export function modelFindings(): Finding[] {
  const { baseUrl, isDefault, hasKey } = modelEndpoint();
  const here = 'What counts is the environment of the worker.';
  return [
    { well: true, text: `Model calls go to ${baseUrl}${isDefault ? '' : ' (OPENAI_BASE_URL)'}. ${here}` },
    {
      well: true,
      ...(!hasKey && isDefault && { isDoubtful: true }),
      text: `OPENAI_API_KEY is ${hasKey ? 'set' : isDefault ? 'not set here' : 'not set; an endpoint of your own rarely wants one'}`,
      advice: `${KEY_ELSEWHERE} Set it where the worker runs, or OPENAI_BASE_URL for an endpoint of your own.`,
    },
  ];
}

type Asked = { finding: Finding; models?: string[] };

interface Endpoint {
  baseUrl: string;
  key: string;
  headers?: Record<string, string>;
  query?: Record<string, string>;
  shown: string;
  addressFrom: string;
  keyFrom: string;
}

function endpointOf(config: Partial<ModelConfig> = {}): Endpoint {
  const { name, baseUrl, apiKeyVariable: keyFrom = 'OPENAI_API_KEY', headers, query } = config;
  const own = modelEndpoint();
  return omitUndefined({
    baseUrl: baseUrl ?? (process.env['OPENAI_BASE_URL'] || own.baseUrl),
    key: process.env[keyFrom] ?? '',
    headers,
    query,
    shown: baseUrl === undefined ? own.baseUrl : shownUrl(baseUrl).replace(/\/$/, ''),
    addressFrom: baseUrl === undefined ? 'OPENAI_BASE_URL' : `base_url of the endpoint of "${name}"`,
    keyFrom,
  });
}

async function askForModels({ baseUrl, key, headers, query, shown, addressFrom, keyFrom }: Endpoint): Promise<Asked> {
  try {
    const address = new URL(`${baseUrl.replace(/\/$/, '')}/models`);
    for (const [name, value] of Object.entries(query ?? {})) address.searchParams.set(name, value);
    const response = await endpointFetch(process.env)(address, {
      headers: { authorization: `Bearer ${key}`, ...headers },
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    });
    if (response.ok) {
      const finding = { well: true, text: `${shown} answers and takes the key` };
      return { finding, models: modelsIn(await response.text()) };
    }
    const refused = response.status === 401 || response.status === 403;
    const advice = refused ? `Check ${keyFrom}.` : `Check ${addressFrom}; it usually ends in /v1.`;
    return {
      finding: { well: false, text: `${shown} answers ${response.status} to a request for its models`, advice },
    };
  } catch (error) {
    if ((error as Error).name === 'RedirectRefused') {
      return {
        finding: { well: false, text: `${shown}: ${(error as Error).message}`, advice: `Check ${addressFrom}.` },
      };
    }
    const why = (error as { cause?: { code?: string } }).cause?.code ?? (error as Error).name;
    const advice = `Check ${addressFrom} and the network.`;
    return { finding: { well: false, text: `${shown} does not answer (${why})`, advice } };
  }
}

function modelsIn(text: string): string[] {
  try {
    const { data } = JSON.parse(text) as { data?: unknown };
    const ids = Array.isArray(data) ? data.map((each: { id?: unknown } | null) => each?.id) : [];
    return ids.filter((id) => typeof id === 'string');
  } catch {
    return [];
  }
}

/** Some servers take every name, so a model that is not in the list is not a problem by itself. */
function listFinding(models: readonly string[], model: string): Finding {
  const some = models.slice(0, MOST_LISTED).join(', ');
  const more = models.length > MOST_LISTED ? ', …' : '';
  const has = models.includes(model) ? `${model} is among them` : `${model} is not among them`;
  if (models.length === 0) return { well: true, text: 'It lists no models' };
  return {
    well: true,
    text: `It lists ${renderCount(models.length, 'model')} (${some}${more}); ${has}`,
  };
}

function replyFindings(tried: TriedModel): Finding[] {
  const { model } = tried;
  if ('type' in tried) {
    const advice = 'Check OPENAI_MODEL and OPENAI_BASE_URL.';
    return [{ well: false, text: `A call of ${model} fails as Model.${tried.type}: ${tried.message}`, advice }];
  }
  const { keptForm, warnings } = tried;
  const kept = keptForm
    ? 'a reply of a schema came as it was asked for'
    : 'the reply did not have the form of its schema';
  return [
    { well: true, text: `Structured output of ${model}: ${kept}` },
    ...warnings.map((warning) => ({ well: true, text: `${model}: ${warning}` })),
  ];
}

export async function modelCallFindings(): Promise<Finding[]> {
  return askedFindings(endpointOf(), () => tryModel(process.env));
}

/** Asks each endpoint of a file's models once: for its models, and the first model that is there for one reply of a schema. */
export async function fileModelCallFindings(models: readonly ModelConfig[]): Promise<Finding[]> {
  const asked = new Set<string>();
  const findings: Finding[] = [];
  for (const config of models) {
    const endpoint = endpointOf(config);
    const same = JSON.stringify([endpoint.baseUrl, endpoint.key, endpoint.headers, endpoint.query]);
    if (asked.has(same)) continue;
    asked.add(same);
    findings.push(...(await askedFindings(endpoint, () => tryModel(process.env, models, config))));
  }
  return findings;
}

async function askedFindings(endpoint: Endpoint, tryOne: () => Promise<TriedModel>): Promise<Finding[]> {
  const { finding, models } = await askForModels(endpoint);
  if (!finding.well) return [finding];
  const tried = await tryOne();
  return [finding, ...(models ? [listFinding(models, tried.model)] : []), ...replyFindings(tried)];
}
