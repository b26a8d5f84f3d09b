import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { StatusLine } from '../../../../src/apps/cli/terminal/status-line';
import { NO_USAGE } from '../../../../src/lib/base/tokens';

const usage = { ...NO_USAGE, modelCalls: 2, totalTokens: 1_234, usd: 0.0012 };

function screen(isTTY: boolean, columns = 80) {
  const stream = Object.assign(new PassThrough(), { isTTY, columns });
  let written = '';
  stream.on('data', (piece) => (written += String(piece)));
  return { stream: stream as unknown as NodeJS.WriteStream, written: () => written };
}

const ERASE = '\r\u001b[2K';
// oxlint-disable-next-line no-control-regex
const stripColours = (text: string) => text.replaceAll(/\u001b\[\d+m/g, '');
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

test('on a terminal it moves by itself: spinner, seconds, tokens and dollars; what it was is erased', async () => {
  const { stream, written } = screen(true);
  const line = new StatusLine(stream);
  line.show('judging version 2', usage);
  await pause(1_300);
  line.write(['news']);
  line.close();
  const frames = written().split(ERASE).map(stripVTControlCharacters);
  expect(
    frames.some((frame) => /^\S judging version 2 · 0 s · 2 model calls, 1,234 tokens, \$0\.0012$/.test(frame)),
  ).toBe(true);
  expect(frames.some((frame) => /^\S judging version 2 · 1 s · /.test(frame))).toBe(true);
  expect(new Set(frames.map(([spinner]) => spinner)).size).toBeGreaterThan(3);
  expect(frames).toContainEqual(expect.stringMatching(/^news\n$/));
  expect(written().endsWith(ERASE)).toBe(true);
  const before = written();
  await pause(300);
  expect(written()).toBe(before);
});

test('a phase that begins starts its seconds anew, and no frame is as wide as the terminal', () => {
  const { stream, written } = screen(true, 60);
  const line = new StatusLine(stream);
  line.show('a phase '.repeat(20), usage);
  line.close();
  for (const frame of written().split(ERASE)) expect(stripVTControlCharacters(frame).length).toBeLessThan(60);
});

test('a pipe and a terminal that knows no cursor get the news alone', () => {
  const piped = screen(false);
  const line = new StatusLine(piped.stream);
  line.show('judging', usage);
  line.write(['news']);
  line.close();
  expect(piped.written()).toBe('news\n');
});

test('what is being written stands above it, no more than its last lines, and is taken away with them', () => {
  const { stream, written } = screen(true, 40);
  const line = new StatusLine(stream);
  line.show('writing the draft', undefined);
  line.showText(`${'far '.repeat(30)}\n1\n2\n3\n4\n5\n6\n7 \u001b[2Jlast`);
  line.showText('');
  line.close();
  // oxlint-disable-next-line no-control-regex
  const [, shown = '', after = ''] = /(1\n[^]*?)\r\u001b\[8A\u001b\[J([^]*)$/.exec(stripColours(written())) ?? [];
  expect(shown).toMatch(/^1\n2\n3\n4\n5\n6\n7 \ufffd\[2Jlast\n\S writing the draft · 0 s$/);
  expect(after).not.toContain('last');
  const piped = screen(false);
  const none = new StatusLine(piped.stream);
  none.show('writing', undefined);
  none.showText('text');
  none.close();
  expect(piped.written()).toBe('');
});
