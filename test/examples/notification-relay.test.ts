import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { transformSync } from '@swc/core';
import { chatText, isGenuine, relayService } from '../../examples/notification-relay';
import type { WaitNotification } from '../../src';
import { signedHeaders } from '../../src/lib/external';
import { blocksOf } from '../../testing/build/code-blocks';
import { startReceiver } from '../../testing/support/receiver';

const SECRET = 'a-secret-that-nobody-knows';
const PAGE = blocksOf('docs/notifications.md');

/** The message that the page shows. */
const BODY = PAGE.find(({ language }) => language === 'json')!.code.trim();
const shown = JSON.parse(BODY) as WaitNotification;
const signed = (secret = SECRET, now = Date.now()) => ({ ...signedHeaders(shown.id, BODY, [secret], now) });

const genuine = signed();
const CASES: [string, Record<string, string>, string, boolean][] = [
  ['a genuine message', genuine, BODY, true],
  [
    'a secret that is being replaced',
    { ...genuine, ...signedHeaders(shown.id, BODY, ['new', SECRET], Date.now()) },
    BODY,
    true,
  ],
  ['another secret', signed('another'), BODY, false],
  ['an encoded secret of another', signed(`whsec_${Buffer.alloc(24, 'b').toString('base64')}`), BODY, false],
  ['an empty secret', { ...genuine, ...signedHeaders(shown.id, BODY, ['whsec_'], Date.now()) }, BODY, false],
  ['another body', genuine, `${BODY} `, false],
  ['another id', { ...genuine, 'webhook-id': 'another' }, BODY, false],
  ['an old message', signed(SECRET, Date.now() - 600_000), BODY, false],
  ['no signature', { ...genuine, 'webhook-signature': '' }, BODY, false],
];

const ENCODED = `whsec_${Buffer.alloc(24, 'a').toString('base64')}`;

/** Secrets as a receiver may have them, all with the one of the messages above, or with an encoded one. */
const HELD: [string, held: string, sent: string[]][] = [
  ['an encoded secret', ENCODED, [ENCODED]],
  ['two secrets, and the worker has both', `${ENCODED} ${SECRET}`, [ENCODED, SECRET]],
  ['two secrets, and the worker has the old one', `${ENCODED} ${SECRET}`, [SECRET]],
  ['two secrets, and the worker has the new one', `${ENCODED} ${SECRET}`, [ENCODED]],
  ['the old secret, and the worker has both', SECRET, [ENCODED, SECRET]],
  ['an empty key beside a secret', `whsec_ ${SECRET}`, [SECRET]],
];
const heldHeaders = (sent: string[]) => ({ ...signedHeaders(shown.id, BODY, sent, Date.now()) });

/** The function of the page for Node. */
function pageCheck(): typeof isGenuine {
  const { code } = PAGE.find((block) => block.language === 'ts' && block.code.includes('isGenuine'))!;
  const module = { exports: {} as { isGenuine: typeof isGenuine } };
  const compiled = transformSync(code, { jsc: { parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } });
  // oxlint-disable-next-line typescript/no-implied-eval -- it is what the page shows
  new Function('require', 'exports', compiled.code)(require, module.exports);
  return module.exports.isGenuine;
}

describe('the checks of signatures', () => {
  test.each(HELD)('take a message where the receiver has %s', (_, held, sent) => {
    expect(isGenuine(heldHeaders(sent), BODY, held)).toBe(true);
    expect(isGenuine(heldHeaders(sent), `${BODY} `, held)).toBe(false);
    expect(pageCheck()(heldHeaders(sent), BODY, held)).toBe(true);
    expect(isGenuine(heldHeaders(['whsec_']), BODY, held)).toBe(false);
    expect(pageCheck()(heldHeaders(['whsec_']), BODY, held)).toBe(false);
  });

  test.each(CASES)('of the relay: %s', (_, headers, body, holds) => {
    expect(isGenuine(headers, body, SECRET)).toBe(holds);
  });

  test.each(CASES)('of the page, for Node: %s', (_, headers, body, holds) => {
    expect(pageCheck()(headers, body, SECRET)).toBe(holds);
  });

  test('of the page, for Python', () => {
    const { code } = PAGE.find(({ language }) => language === 'python')!;
    const given = [
      ...CASES.map(([, headers, body]) => [headers, body, SECRET]),
      ...HELD.map(([, held, sent]) => [heldHeaders(sent), BODY, held]),
      ...HELD.map(([, held]) => [heldHeaders(['whsec_']), BODY, held]),
    ];
    const ask = [
      'import json, sys',
      `print(json.dumps([is_genuine(h, b.encode(), s) for h, b, s in json.load(sys.stdin)]))`,
    ];
    const { stdout, stderr } = spawnSync('python3', ['-c', `${code}\n${ask.join('\n')}`], {
      input: JSON.stringify(given),
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual([
      ...CASES.map(([, , , holds]) => holds),
      ...HELD.map(() => true),
      ...HELD.map(() => false),
    ]);
  });
});

test('the relay posts a line for each message, once, and passes failures of the chat on', async () => {
  const statuses = [500, 200];
  const chat = await startReceiver(() => statuses.shift() ?? 200);
  const relay = relayService(SECRET, chat.url).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const url = `http://127.0.0.1:${(relay.address() as AddressInfo).port}/`;
  const post = async (headers: Record<string, string>) => {
    const { status } = await fetch(url, { method: 'POST', headers, body: BODY });
    return status;
  };
  try {
    expect(await post(signed('another'))).toBe(401);
    expect(await post(signed())).toBe(502);
    expect(await post(signed())).toBe(204);
    expect(await post(signed())).toBe(204);
    const line = chatText(shown);
    expect(line).toMatch(/^Waiting: letter, .* until 2026-12-03.* https:\/\/reviews\.example\.com\/runs\/letter-7$/);
    expect(chat.received.map(({ text }) => JSON.parse(text) as unknown)).toEqual(
      Array.from({ length: 2 }, () => ({ text: line, content: line, allowed_mentions: { parse: [] } })),
    );
  } finally {
    relay.close();
    await chat.close();
  }
});

test.each([
  '<!channel>',
  '<!here|here>',
  '@everyone',
  '@here',
  '<@U012345>',
  '<users/all>',
  '<https://evil.example|the review page>',
  '[the review page](https://evil.example)',
  'https://evil.example/x',
  'www.evil.example',
  'evil.example',
  'mailto:ceo@example.com',
  'over\n\nWaiting: another, until',
  '\u202e\u200bhidden',
])('the relay passes no mention, link or line of a stranger on: %j', (text) => {
  const [wait] = shown.data.waits;
  const { review: _review, webUi: _webUi, ...links } = wait!.links;
  const line = chatText({
    ...shown,
    data: { ...shown.data, waits: [{ ...wait!, name: text, what: text, workflowId: text, links }] },
  });
  expect(line.split('\n')).toHaveLength(1);
  expect(line).not.toMatch(/[<>[\]()|]|:\/\/|www\.|mailto:|evil\.example|@\w|\u202e|\u200b/i);
  expect(
    line
      .split(/[ ,]/)
      .filter((word) => /^[\w-]+\.[\w-]+/.test(word))
      .filter((word) => !/^\d{4}-/.test(word)),
  ).toEqual([]);
});

test('the relay reads no unsigned body, and no more than a message can have', async () => {
  const chat = await startReceiver(() => 200);
  const relay = relayService(SECRET, chat.url).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const { port } = relay.address() as AddressInfo;
  /** Sends the beginning of a body that never ends, and resolves with the status that comes all the same. */
  const statusOf = (headers: Record<string, string>, bytes: number) =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = request({ port, host: '127.0.0.1', method: 'POST', headers });
      sent.once('response', (response) => {
        resolve(response.statusCode);
        sent.destroy();
      });
      sent.once('error', reject);
      sent.write('x'.repeat(bytes));
    });
  try {
    expect(await statusOf({}, 10)).toBe(401);
    expect(await statusOf(signed(), 5 * 1_024 * 1_024)).toBe(413);
    expect(chat.received).toEqual([]);
  } finally {
    relay.closeAllConnections();
    relay.close();
    await chat.close();
  }
});
