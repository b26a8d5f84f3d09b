import { stripVTControlCharacters } from 'node:util';
import { waitingLines, Waits } from '../../../../src/apps/cli/views/waiting-view';
import type { WaitingFor } from '../../../../src/loop/contract/waiting';
import { anEvaluation, aVersion } from '../../../../testing/support/versions';

const versions = [1, 2].map((iteration) => ({
  ...aVersion(iteration, anEvaluation('fail', 0.5)),
  output: { title: `the ${iteration === 1 ? 'first' : 'second'} one` },
}));
const wait: WaitingFor = {
  what: "a person's review of version 2",
  until: '2026-01-01T00:00:00.000Z',
  commands: [
    { name: 'accept', payload: { iteration: 2 } },
    { name: 'abort', payload: {} },
  ],
};

function plain(lines: string[]): string {
  return stripVTControlCharacters(lines.join('\n'));
}

const EXPECTED = `It waits for a person's review of version 2, until 2026-01-01T00:00:00.000Z.

The text of version 2
  {
    "title": "the second one"
  }
All of it: npx reflect show a-run --output
Changes since version 1:
  title: "the first one" → "the second one"

  npx reflect accept a-run --iteration 2
  npx reflect abort a-run`;

test('whoever is asked to decide reads the text between the wait and the commands', () => {
  expect(plain(waitingLines(wait, 'a-run', versions))).toBe(EXPECTED);
});

test('a wait for something else than a decision shows no text', () => {
  const commands = wait.commands.filter(({ name }) => name !== 'accept');
  expect(plain(waitingLines({ ...wait, commands }, 'a-run', versions))).not.toContain('The text');
});

test('whoever follows a run reads it once for each wait, and only what is needed is asked for', async () => {
  const asked: number[] = [];
  const versionsAfter = async (iteration: number) => {
    asked.push(iteration);
    return versions.filter((version) => version.iteration > iteration);
  };
  const waits = new Waits();
  expect(plain(await waits.news(wait, 'a-run', versionsAfter))).toBe(`\n${EXPECTED}\n`);
  expect(await waits.news(wait, 'a-run', versionsAfter)).toEqual([]);
  expect(await waits.news(undefined, 'a-run', versionsAfter)).toEqual([]);
  expect(asked).toEqual([0]);
});

test('a call that is asked again, because a change of its arguments was not taken, is told again', async () => {
  const waits = new Waits();
  const asks = (id: string, problem?: string): WaitingFor => ({
    ...wait,
    what: 'an approval',
    waits: [{ id, kind: 'approval', action: 'pay', arguments: { amount: 20 }, ...(problem && { problem }) }],
  });
  const news = async (waitingFor: WaitingFor) => plain(await waits.news(waitingFor, 'loop', async () => []));
  expect(await news(asks('approval-1'))).toContain('approval-1 calls pay');
  expect(await news(asks('approval-1'))).toBe('');
  expect(await news(asks('approval-2', 'amount is too high'))).toContain('It waits again: amount is too high');
});
