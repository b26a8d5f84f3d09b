import type { ModelConfig } from './types';

/** Returns whether an address has credentials: requests are not made to such an address, and their errors would show them. */
function hasCredentials(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { username, password } = new URL(address);
  return username !== '' || password !== '';
}

/** @throws TypeError for an address with a user name or a password in it, without showing it */
export function assertWithoutCredentials(configs: readonly ModelConfig[], env: NodeJS.ProcessEnv): void {
  const advice = 'Give the key in an environment variable (OPENAI_API_KEY, or `apiKeyVariable` of the model).';
  const addresses = configs.map(({ name, baseUrl }) => [`the baseUrl of the model "${name}"`, baseUrl] as const);
  for (const [what, address = ''] of [...addresses, ['OPENAI_BASE_URL', env['OPENAI_BASE_URL']] as const]) {
    if (hasCredentials(address)) throw new TypeError(`${what} has a user name or a password in it. ${advice}`);
  }
}
