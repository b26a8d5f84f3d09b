import { shownUrl } from '../../../lib/text/secrets';

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
