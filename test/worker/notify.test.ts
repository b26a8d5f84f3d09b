import type { WorkOptions } from '../../src/worker';
import { InvalidConfigError } from '../../src/loop/errors/errors';
import { receiverOf } from '../../src/worker/notify';

const url = 'https://hooks.example.com/waits';
const SECRET = 'a-secret-that-nobody-knows';
const ENCODED = `whsec_${Buffer.alloc(24, 'key').toString('base64')}`;
const env = { WAITS_SECRET: SECRET, REFLECT_NOTIFY_SECRET: `${SECRET} ${ENCODED}` };
const notify = { url, secretVariable: 'WAITS_SECRET' };

describe('the receiver of notifications', () => {
  test('comes from the option, else from the environment, and `false` switches both off', () => {
    const variables = {
      ...env,
      REFLECT_NOTIFY_URL: 'https://other.example.com/',
      TEMPORAL_UI_URL: 'https://ui.example.com',
    };
    expect(receiverOf({}, env)).toBeUndefined();
    expect(receiverOf({ notify: false }, variables)).toBeUndefined();
    expect(receiverOf({ notify }, variables)).toMatchObject({
      url,
      includesText: false,
      webUi: 'https://ui.example.com',
    });
    const byEnvironment = receiverOf(
      {},
      { ...variables, REFLECT_NOTIFY_INCLUDE: 'text', REFLECT_REVIEW_URL: 'https://reviews.example.com/{workflowId}' },
    );
    expect(byEnvironment).toMatchObject({
      url: 'https://other.example.com/',
      includesText: true,
      review: 'https://reviews.example.com/{workflowId}',
    });
    // Two words are two secrets.
    expect(byEnvironment!.readSecrets()).toEqual([SECRET, ENCODED]);
  });

  test('is called alone, and at a public address unless the worker may call others', () => {
    const allowed = { allowPrivateAddresses: true };
    expect(receiverOf({ notify }, env)!.rules).toEqual({ hosts: ['hooks.example.com'], allowPrivateAddresses: false });
    expect(receiverOf({ notify, externalCalls: { ...allowed, hosts: [] } }, env)!.rules).toEqual({
      hosts: ['hooks.example.com'],
      ...allowed,
    });
    const variables = { ...env, REFLECT_ALLOW_PRIVATE_ADDRESSES: '1' };
    expect(receiverOf({ notify, externalCalls: false }, variables)!.rules).toMatchObject(allowed);
  });

  test('has its secret read when it is needed', () => {
    const variables: NodeJS.ProcessEnv = { ...env };
    const receiver = receiverOf({ notify }, variables)!;
    variables['WAITS_SECRET'] = 'new old';
    expect(receiver.readSecrets()).toEqual(['new', 'old']);
  });

  test.each<[string, Partial<NonNullable<WorkOptions['notify']>>, RegExp]>([
    ['no URL', { url: 'hooks' }, /\/notify\/url: is no URL/],
    ['another protocol', { url: 'ftp://hooks.example.com' }, /must begin with https/],
    ['a private address', { url: 'http://10.0.0.1/' }, /10\.0\.0\.1 is not public/],
    ['this machine', { url: 'http://localhost:8090/' }, /localhost is not public/],
    ['a password in the URL', { url: 'https://me:hidden@hooks.example.com/' }, /must not hold a name.*notify\.headers/],
    ['a key in the URL', { url: 'https://hooks.example.com/?token=hidden' }, /"token".*notify\.headers/],
    ['a variable that is not set', { secretVariable: 'NOBODY_SET' }, /"NOBODY_SET" is not set/],
    ['another include', { include: 'all' as 'text' }, /\/notify\/include: must be "text"/],
    ['a header that the worker sets', { headers: { 'Webhook-Id': 'hidden' } }, /"Webhook-Id" is set by the worker/],
    ['an unknown field', { secretVarible: 'WAITS_SECRET' } as object, /secretVarible.*did you mean secretVariable\?/],
    ['an unknown link', { links: { webUI: 'https://hidden.example.com' } as object }, /webUI.*did you mean webUi\?/],
    ['headers as a text', { headers: 'hidden' as never }, /\/notify\/headers: must be an object/],
    ['a value that is no header', { headers: { 'x-key': 'hid\nden' } }, /"x-key" is no header/],
  ])('is refused for %s, and no secret is shown', (_, wrong, says) => {
    const options = { notify: { ...notify, ...wrong } };
    expect(() => receiverOf(options, env)).toThrow(says);
    expect(() => receiverOf(options, env)).not.toThrow(/hid\n?den/);
  });

  test.each<[string, string, RegExp]>([
    ['an encoded secret without a key', 'whsec_', /can be guessed/],
    ['an encoded secret that is no base64', 'whsec_!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!', /can be guessed/],
    ['an encoded secret of 23 bytes', `whsec_${Buffer.alloc(23, 'hid').toString('base64')}`, /24 bytes/],
    ['a short text', 'hidden', /16 characters/],
    ['a short one beside a long one', `${SECRET} hidden`, /16 characters/],
    ['blanks', '  ', /is not set/],
  ])('is refused at the start with %s', (_, secret, says) => {
    const start = () => receiverOf({ notify }, { WAITS_SECRET: secret });
    expect(start).toThrow(InvalidConfigError);
    expect(start).toThrow(says);
    expect(start).not.toThrow(/hid|aGlk|!!/);
  });
});
