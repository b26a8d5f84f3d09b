import { join } from 'node:path';
import { endName, endOf, type HistoryFile } from '../../src/apps/testing/replay/history-file';
import { OWN_WORKFLOWS, readRecordings, recordingsOf } from '../../testing/replay/recordings';
import { isShallow, releasedRecordings, releasedVersions } from '../../testing/replay/released';
import { scenarios } from '../../testing/replay/scenarios';
import { privateText } from '../../testing/replay/private-text';
import { ReflectionPlugin } from '../../src/worker';
import { sdkVersion } from '../../src/worker/sdk/sdk-copies';
import { commandsOf, RULES_MARKS } from '../../testing/replay/rules-mark';
import { timesOf, withOtherTimes } from './other-times';
import { type Bundle, bundleForReplay, replay, type Replayed } from '../../src/apps/testing/replay/replaying';
import '../../testing/support/quiet';

const ADVICE = 'see "Changing a workflow" in CONTRIBUTING.md';

const CALL = 'EVENT_TYPE_ACTIVITY_TASK_SCHEDULED';

const PROJECT = join(__dirname, '..', '..');
const recordings = readRecordings();
const names = recordings.map(({ name }) => name);

/**
 * Two loops side by side in one workflow. Temporal promises that a newer SDK replays what an older one recorded, and not the
 * reverse: SDK 1.22 resumes them in another order than 1.24, which made the recordings.
 */
const ONLY_FORWARDS = new Set(['own-pair']);
const replaysHere = (name: string): boolean => !(ONLY_FORWARDS.has(name) && sdkVersion().startsWith('1.22.'));
const replaying = names.filter(replaysHere);

const historyOf = (name: string): HistoryFile => recordings.find((recording) => recording.name === name)!.history;

describe('recorded histories', () => {
  let bundle: Bundle;
  let replayed: Map<string, Replayed>;

  beforeAll(async () => {
    // One bundle of both, as a worker with the plugin has it: our workflows, and those of its owner.
    bundle = await bundleForReplay(OWN_WORKFLOWS, [new ReflectionPlugin()]);
    const results = await replay(bundle, recordings);
    replayed = new Map(results.map((result) => [result.name, result]));
  }, 60_000);

  test.each(replaying)('replay %s', (name) => {
    const { error, end } = replayed.get(name)!;
    if (error) throw new Error(`${name} does not replay; ${ADVICE}: ${error.message}`);
    // Results may gain fields, and the next run of a chain may be told more; what was there must be there.
    expect(end).toMatchObject(endOf(historyOf(name))!);
  });

  test('replay covers at least 20 histories, and every scenario to its end', () => {
    expect(names.length).toBeGreaterThanOrEqual(20);
    const recorded = scenarios.map(({ name }) => {
      const last = recordingsOf(name, names).at(-1);
      return { name, ends: last === undefined ? 'not recorded' : endName(endOf(historyOf(last))) };
    });
    expect(recorded).toEqual(scenarios.map(({ name, ends }) => ({ name, ends })));
  });

  test('runs of every release go on: its recordings replay', async () => {
    const released = releasedRecordings(PROJECT);
    const known = released.map(({ tag }) => tag);
    // A clone of a part of the history has nothing of what was released before, unless it has the tag.
    if (!isShallow(PROJECT)) expect(known).toEqual(releasedVersions(PROJECT).map((version) => `v${version}`));
    // What stands here unchanged was replayed above.
    const here = new Set(recordings.map(({ history }) => JSON.stringify(history)));
    for (const { tag, files, recordings: those } of released) {
      expect(files).toBeGreaterThanOrEqual(20);
      const ends = new Map(those.map(({ name, history }) => [name, endOf(history)]));
      const replayable = those.filter(({ name, history }) => replaysHere(name) && !here.has(JSON.stringify(history)));
      for (const { name, error, end } of await replay(bundle, replayable)) {
        if (error) throw new Error(`${name} of ${tag} does not replay; ${ADVICE}: ${error.message}`);
        expect(end).toMatchObject(ends.get(name)!);
      }
    }
  }, 120_000);

  test('what was recorded carries the mark of its rules before its first call', () => {
    const markAt = (commands: readonly string[]) => commands.findIndex((each) => RULES_MARKS.includes(each));
    const unmarked = recordings.filter(({ name, history }) => {
      const commands = commandsOf(history);
      const isFirst = markAt(commands) === 0;
      // A workflow of an owner may do something before its loop. What is no page of a batch begins nothing.
      if (name.startsWith('own-')) return markAt(commands) < 0 || markAt(commands) > commands.indexOf(CALL);
      return !isFirst && commands.length > 1;
    });
    expect(unmarked.map(({ name }) => name)).toEqual([]);
  });

  test('replay notices a history that other code made', async () => {
    const { events } = historyOf('regenerate');
    const other = JSON.parse(
      JSON.stringify({ events }).replaceAll('"name":"reflection.generate"', '"name":"reflection.dictate"'),
    ) as HistoryFile;
    const [result] = await replay(bundle, [{ name: 'other', history: other }]);
    expect(result).toMatchObject({ diverged: true, error: expect.any(Error) });
  });

  test.each(['guided-and-decided', 'extended-and-overridden', 'handed-over-1', 'handed-over-2'])(
    'review-%s: versions and the start have the times that they had, whatever those of its tasks are in a replay',
    async (name) => {
      const [moved] = await replay(bundle, [{ name, history: withOtherTimes(historyOf(`review-${name}`), 400) }]);
      expect(moved!.error).toBeUndefined();
      expect(timesOf(moved!.end)).toEqual(timesOf(endOf(historyOf(`review-${name}`))));
    },
  );

  test('recordings say nothing of the machine they were made on', () => {
    expect(recordings.flatMap(({ name, history }) => privateText(history) ?? [name]).toSorted()).toEqual(names);
    const data = Buffer.from('"at /home/somebody/project"').toString('base64');
    expect(privateText({ events: [{ result: { payloads: [{ data }] } }] })).toContain('/home/somebody');
    expect(privateText({ events: [{ identity: '4711@laptop' }] })).toContain('4711@laptop');
  });
});
