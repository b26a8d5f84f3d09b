import { modelEndpoint } from './model-endpoint';

/** What one check of the doctor found; `advice` says what to do when it is not well. */
export interface Finding {
  well: boolean;
  text: string;
  advice?: string;
  /** True for an optional package that is not installed: well, and yet nothing to rely on. */
  isAbsent?: true;
}

const CALL_TIMEOUT_MS = 10_000;

/** Where model calls go, and whether there is a key for it. */
export function modelFindings(): Finding[] {
  const { baseUrl, isDefault, hasKey } = modelEndpoint();
  const here = 'What counts is the environment of the worker.';
  return [
    { well: true, text: `Model calls go to ${baseUrl}${isDefault ? '' : ' (OPENAI_BASE_URL)'}. ${here}` },
    {
      well: hasKey || !isDefault,
      text: `OPENAI_API_KEY is ${hasKey ? 'set' : isDefault ? 'not set' : 'not set; an endpoint of your own rarely wants one'}`,
      advice: 'Set it where the worker runs, or OPENAI_BASE_URL for an endpoint of your own.',
    },
  ];
}

/** Asks for the list of models: it costs nothing, and shows whether address and key are right. */
export async function modelCallFinding(): Promise<Finding> {
  const base = process.env['OPENAI_BASE_URL'] || modelEndpoint().baseUrl;
  const { baseUrl } = modelEndpoint();
  try {
    const response = await fetch(`${base.replace(/\/$/, '')}/models`, {
      headers: { authorization: `Bearer ${process.env['OPENAI_API_KEY'] ?? ''}` },
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    });
    if (response.ok) return { well: true, text: `${baseUrl} answers and takes the key` };
    const refused = response.status === 401 || response.status === 403;
    const advice = refused ? 'Check OPENAI_API_KEY.' : 'Check OPENAI_BASE_URL; it usually ends in /v1.';
    return { well: false, text: `${baseUrl} answers ${response.status} to a request for its models`, advice };
  } catch (error) {
    const why = (error as { cause?: { code?: string } }).cause?.code ?? (error as Error).name;
    return {
      well: false,
      text: `${baseUrl} does not answer (${why})`,
      advice: 'Check OPENAI_BASE_URL and the network.',
    };
  }
}
