import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
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
  ['another body', genuine, `${BODY} `, false],
  ['another id', { ...genuine, 'webhook-id': 'another' }, BODY, false],
  ['an old message', signed(SECRET, Date.now() - 600_000), BODY, false],
  ['no signature', { ...genuine, 'webhook-signature': '' }, BODY, false],
];

describe('the checks of signatures', () => {
  test.each(CASES)('of the relay: %s', (_, headers, body, holds) => {
    expect(isGenuine(headers, body, SECRET)).toBe(holds);
  });

  test.each(CASES)('of the page, for Node: %s', (_, headers, body, holds) => {
    const { code } = PAGE.find((block) => block.language === 'ts' && block.code.includes('isGenuine'))!;
    const module = { exports: {} as { isGenuine: typeof isGenuine } };
    const compiled = transformSync(code, { jsc: { parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } });
    // oxlint-disable-next-line typescript/no-implied-eval -- it is what the page shows
    new Function('require', 'exports', compiled.code)(require, module.exports);
    expect(module.exports.isGenuine(headers, body, SECRET)).toBe(holds);
  });

  test('of the page, for Python', () => {
    const { code } = PAGE.find(({ language }) => language === 'python')!;
    const given = CASES.map(([, headers, body]) => [headers, body]);
    const ask = [
      'import json, sys',
      `print(json.dumps([is_genuine(h, b.encode(), "${SECRET}") for h, b in json.load(sys.stdin)]))`,
    ];
    const { stdout, stderr } = spawnSync('python3', ['-c', `${code}\n${ask.join('\n')}`], {
      input: JSON.stringify(given),
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual(CASES.map(([, , , holds]) => holds));
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
      Array.from({ length: 2 }, () => ({ text: line, content: line })),
    );
  } finally {
    relay.close();
    await chat.close();
  }
});
