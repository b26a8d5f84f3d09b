import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endOf } from '../../src/testing/replay/history-file';
import * as own from '../../testing/replay/own-workflows';
import { OWN_WORKFLOWS, readRecordings } from '../../testing/replay/recordings';
import * as ours from '../../src/workflows';
import type { Mutant } from '../replay/mutant';
import { guarded, mutants } from '../replay/mutants';
import { type Bundle, bundleForReplay, firstReplayed, replay, type Replayed } from '../../src/testing/replay/replaying';
import '../../testing/support/quiet';

const PROJECT = join(__dirname, '..', '..');
const CONTROL = 'control';
const GUARDED = 'guarded';
const typeOf = (index: number): string => `mutant${index + 1}`;

const recordings = readRecordings();
/** What a history holds takes longer to replay than its events. */
const sizeOf = new Map(recordings.map(({ name, history }) => [name, JSON.stringify(history).length]));
const smallFirst = recordings.toSorted((a, b) => sizeOf.get(a.name)! - sizeOf.get(b.name)!);

/** True when the replay test would find the result wrong, though the commands were right. */
function endsOtherwise({ name, end }: Replayed): boolean {
  const recorded = endOf(recordings.find((recording) => recording.name === name)!.history)!;
  try {
    expect(end).toMatchObject(recorded);
    return false;
  } catch {
    return true;
  }
}

/** Copies the workflow code under a name, and makes the mistake in it. */
function copyOfCode(folder: string, name: string, mutant?: Mutant): void {
  for (const room of ['workflows', 'domain']) {
    cpSync(join(PROJECT, 'src', room), join(folder, name, room), { recursive: true });
  }
  // What the owner of a worker imports is the copy, too.
  cpSync(join(PROJECT, 'src', 'workflow.ts'), join(folder, name, 'workflow.ts'));
  const owners = readFileSync(OWN_WORKFLOWS, 'utf8').replace("'../../src/workflow'", "'./workflow'");
  writeFileSync(join(folder, name, 'own-workflows.ts'), owners);
  if (!mutant) return;
  const file = join(folder, name, mutant.file);
  const [before, after, ...more] = readFileSync(file, 'utf8').split(mutant.find);
  if (after === undefined || more.length > 0) {
    throw new Error(
      `${mutant.file} must hold this exactly once; bring test/replay/mutants.ts up to date: ${mutant.find}`,
    );
  }
  writeFileSync(file, `${before}${mutant.replace}${after}`);
}

/** Exported functions, by the file of a copy. */
const WORKFLOWS = { workflows: Object.keys(ours), 'own-workflows': Object.keys(own) };

/** One bundle with all copies, each with workflow types of its own: bundling takes far longer than replaying. */
function bundleAll(folder: string): Promise<Bundle> {
  const types = [CONTROL, GUARDED, ...mutants.map((_, index) => typeOf(index))];
  const exported = types.flatMap((type) =>
    Object.entries(WORKFLOWS).map(([file, names]) => {
      // Loaded when it is run: every replay would load all copies otherwise, which takes longer than all that it replays.
      const load = `require('./${type}/${file}')`;
      return names.map((name) => `export const ${type}_${name} = (...args) => ${load}.${name}(...args);\n`).join('');
    }),
  );
  writeFileSync(join(folder, 'index.ts'), exported.join(''));
  return bundleForReplay(join(folder, 'index.ts'));
}

describe('mutants of the workflow code', () => {
  let folder: string;
  let bundle: Bundle;
  let bundling: Promise<Bundle> | undefined;

  beforeAll(async () => {
    // In the project, so that the copies find its packages.
    mkdirSync(join(PROJECT, '.reflect'), { recursive: true });
    folder = mkdtempSync(join(PROJECT, '.reflect', 'mutants-'));
    copyOfCode(folder, CONTROL);
    copyOfCode(folder, GUARDED, guarded);
    for (const [index, mutant] of mutants.entries()) copyOfCode(folder, typeOf(index), mutant);
    bundling = bundleAll(folder);
    bundle = await bundling;
    // Dozens of copies of the code beside other tests; nothing of ours is timed here.
  }, 180_000);
  afterAll(async () => {
    // A bundler whose files go away under it goes on after the test, breaks the next one, and keeps jest from ending.
    await bundling?.catch(() => undefined);
    rmSync(folder, { recursive: true, force: true });
  }, 180_000);

  test.each([
    ['the copy without a mutation', CONTROL],
    ['a change behind patched()', GUARDED],
  ])('%s replays everything', async (_what, type) => {
    const replayed = await replay(bundle, recordings, type);
    expect(replayed.map(({ name }) => name)).toEqual(recordings.map(({ name }) => name));
    expect(replayed.filter(({ error }) => error)).toEqual([]);
  });

  test('there are at least 10 that change what a run does', () => {
    expect(mutants.filter(({ seenIn }) => !seenIn).length).toBeGreaterThanOrEqual(10);
  });

  const rows = mutants.map(({ why, seenIn }, index) => [why, typeOf(index), seenIn] as const);

  test.each(rows)('replay catches: %s', async (_why, type, seenIn) => {
    const caught = await firstReplayed(bundle, smallFirst, type, (each) =>
      seenIn ? !each.error && endsOtherwise(each) : each.diverged,
    );
    expect(caught).toBeDefined();
  });
});
