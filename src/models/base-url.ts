import type { ModelConfig } from './types';

/** Requests are not made to such an address, and their errors would show it. */
export function hasCredentials(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { username, password } = new URL(address);
  return username !== '' || password !== '';
}

/** @throws TypeError for an address with a user name or a password in it, without showing it */
export function assertWithoutCredentials(configs: readonly ModelConfig[], env: NodeJS.ProcessEnv): void {
  const advice = 'Give the key in an environment variable (OPENAI_API_KEY, or `apiKeyVariable` of the model).';
  for (const { name, baseUrl } of configs) {
    if (baseUrl !== undefined && hasCredentials(baseUrl)) {
      throw new TypeError(`the baseUrl of the model "${name}" has a user name or a password in it. ${advice}`);
    }
  }
  if (hasCredentials(env['OPENAI_BASE_URL'] ?? '')) {
    throw new TypeError(`OPENAI_BASE_URL has a user name or a password in it. ${advice}`);
  }
}
