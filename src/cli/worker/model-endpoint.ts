import { shownUrl } from '../../domain/text/secrets';

const DEFAULT_BASE_URL = 'https://api.openai.com/v1';

/** Where model calls of this environment go, without anything secret. */
export function modelEndpoint(env: NodeJS.ProcessEnv = process.env): {
  baseUrl: string;
  /** The provider's own endpoint, which wants a key; a server of one's own rarely does. */
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
