import { secretsOf, shownUrl, urlSecrets, withoutSecrets, withoutSecretsInside } from '../../../src/lib/text/secrets';
import { expectWithin } from '../../../testing/support/processor-time';

const SECRET = 'hunter2-"schlüssel"/+swordfish';
const bytes = Buffer.from(SECRET);

describe('a secret is taken out of a text', () => {
  test.each<[string, string]>([
    ['as it is', SECRET],
    ['in JSON', JSON.stringify({ key: SECRET })],
    ['in a URL', `https://a.example/?k=${encodeURIComponent(SECRET)}`],
    ['in hexadecimal', bytes.toString('hex')],
    ['in capital hexadecimal', bytes.toString('hex').toUpperCase()],
    ['in base64', bytes.toString('base64')],
    ['in base64url', bytes.toString('base64url')],
    ...['', 'B', 'Be', 'Bearer ', 'user:', 'x-api-key: '].map((before): [string, string] => [
      `in base64 behind ${JSON.stringify(before)}`,
      Buffer.from(`${before}${SECRET}, and more`).toString('base64'),
    ]),
    ['twice', `${SECRET} ${SECRET}`],
  ])('%s', (_name, text) => {
    const safe = withoutSecrets(`<${text}>`, [SECRET]);
    expect(safe).toContain('[redacted]');
    for (const part of ['hunter', 'swordfish', 'schl', bytes.toString('hex').slice(8, 24)])
      expect(safe).not.toContain(part);
    // Of base64, at most what shares a character with its neighbours is left.
    for (const offset of [0, 1, 2]) {
      const inside = Buffer.concat([Buffer.alloc(offset), bytes])
        .toString('base64')
        .slice(4, 16);
      expect(safe).not.toContain(inside);
    }
  });

  test('wherever it is in a value, and names as well', () => {
    const value = { [SECRET]: [SECRET, { deep: `x${SECRET}` }, 5, null] };
    expect(withoutSecretsInside(value, [SECRET])).toEqual({
      '[redacted]': ['[redacted]', { deep: 'x[redacted]' }, 5, null],
    });
  });

  test('a long text and many secrets take no time to speak of', async () => {
    const secrets = Array.from({ length: 50 }, (_, index) => `secret-number-${index}-abcdefgh`);
    const text = 'secret-number-'.repeat(20_000);
    expect(await expectWithin(2_000, () => withoutSecrets(text, secrets))).toBe(text);
  });
});

test.each<[string, string, string[]]>([
  ['https://api.openai.com/v1', 'https://api.openai.com/v1', []],
  ['http://127.0.0.1:8080/v1/', 'http://127.0.0.1:8080/v1/', []],
  ['https://gw.example/k3y-abcdef/v1', 'https://gw.example/[redacted]/v1', ['k3y-abcdef']],
  ['https://u:passw0rd1@gw.example/v1?key=abcdefgh', 'https://gw.example/v1', ['passw0rd1', 'abcdefgh']],
  [
    'https://gw.example/openai/deployments/swordfish',
    'https://gw.example/openai/deployments/[redacted]',
    ['swordfish'],
  ],
  ['https://gw.example/a%2Fbcdefgh/v1', 'https://gw.example/[redacted]/v1', ['a%2Fbcdefgh', 'a/bcdefgh']],
  ['no address', 'an address that cannot be read', []],
])('of the address %s people see %s', (address, shown, secrets) => {
  expect(shownUrl(address)).toBe(shown);
  expect(urlSecrets(address).toSorted()).toEqual(secrets.toSorted());
});

test('secrets of an environment: by name, and in addresses', () => {
  const env = {
    OPENAI_API_KEY: 'sk-aaaaaaaa',
    OPENAI_BASE_URL: 'https://gw.example/path-key-1/v1',
    DATABASE_URL: 'postgres://me:database-word@db/x',
    REFLECT_CODEC_KEYS: 'k1:abcdefgh=,k2:ijklmnop=',
    TEMPORAL_TLS_CLIENT_KEY_PATH: '/run/secrets/client.key',
    MY_TOKEN: 'short',
    HOME: '/home/somebody',
    NOTHING: undefined,
  };
  expect(secretsOf(env).toSorted()).toEqual(
    ['sk-aaaaaaaa', 'path-key-1', 'database-word', 'k1:abcdefgh=,k2:ijklmnop=', 'abcdefgh=', 'ijklmnop='].toSorted(),
  );
});
