import { signedHeaders } from '../../../src/lib/external';

// The example of the specification of Standard Webhooks' libraries.
const ID = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const SIGNATURE = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';

test('a message is signed as Standard Webhooks does', () => {
  const headers = signedHeaders(ID, '{"test": 2432232314}', [SECRET], 1_614_265_330_999);
  expect(headers).toEqual({
    'webhook-id': ID,
    'webhook-timestamp': '1614265330',
    'webhook-signature': SIGNATURE,
  });
});

test('each of several secrets signs', () => {
  const { 'webhook-signature': both } = signedHeaders(ID, '{"test": 2432232314}', ['new', SECRET], 1_614_265_330_000);
  expect(both.split(' ')).toEqual([expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/), SIGNATURE]);
});
