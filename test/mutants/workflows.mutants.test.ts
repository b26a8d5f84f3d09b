import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { endOf } from '../../src/apps/testing/replay/history-file';
import * as own from '../../testing/replay/own-workflows';
import { OWN_WORKFLOWS, readRecordings } from '../../testing/replay/recordings';
import * as ours from '../../src/workflows';
import type { Mutant } from '../replay/mutant';
import { guarded, mutants } from '../replay/mutants';
import {
  type Bundle,
  bundleForReplay,
  firstReplayed,
  replay,
  type Replayed,
} from '../../src/apps/testing/replay/replaying';
import '../../testing/support/quiet';

const PROJECT = join(__dirname, '..', '..');
const SOURCES = join(PROJECT, 'src');
const CONTROL = 'control';
const GUARDED = 'guarded';
const typeOf = (index: number): string => `mutant${index + 1}`;

const recordings = readRecordings();
/** What a history holds takes longer to replay than its events. */
const sizeOf = new Map(recordings.map(({ name, history }) => [name, JSON.stringify(history).length]));
const smallFirst = recordings.toSorted((a, b) => sizeOf.get(a.name)! - sizeOf.get(b.name)!);
/** All recordings; first the one that caught a mistake when it was written down, then small ones. */
const withFirst = (first: string | undefined) => [
  ...recordings.filter(({ name }) => name === first),
  ...smallFirst.filter(({ name }) => name !== first),
];

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

/** Writes a file of the workflow code with a mistake in it. All that it imports is ours. */
function withMistake(folder: string, name: string, { file, find, replace }: Mutant): void {
  const original = join(SOURCES, file);
  const [before, after, ...more] = readFileSync(original, 'utf8').split(find);
  if (after === undefined || more.length > 0) {
    throw new Error(`${file} must hold this exactly once; bring test/replay/mutants.ts up to date: ${find}`);
  }
  const code = `${before}${replace}${after}`.replaceAll(
    /from '(\.[^']+)'/g,
    (_all, path: string) => `from ${JSON.stringify(resolve(dirname(original), path))}`,
  );
  writeFileSync(join(folder, `${name}.ts`), code);
}

/** Exported functions, by the file that exports them. */
const WORKFLOWS = { [join(SOURCES, 'workflows')]: Object.keys(ours), [OWN_WORKFLOWS]: Object.keys(own) };

/**
 * One bundle, in which each mutant has workflow types of its own: bundling takes far longer than replaying. The workflow
 * code is in it once. A run of a mutant loads the file with the mistake in place of the original: webpack finds a module by
 * its id, and each run loads modules anew.
 */
function bundleAll(folder: string): Promise<Bundle> {
  const changed: [type: string, file: string][] = [
    [GUARDED, guarded.file],
    ...mutants.map(({ file }, index): [string, string] => [typeOf(index), file]),
  ];
  const resolved = (file: string) => `require.resolve(${JSON.stringify(file)})`;
  const swaps = changed.map(
    ([type, file]) => `  ${type}: [${resolved(join(SOURCES, file))}, ${resolved(join(folder, `${type}.ts`))}],`,
  );
  const loading = `const SWAPS: Record<string, [original: string, changed: string]> = {
${swaps.join('\n')}
};
declare const __webpack_modules__: Record<string, unknown>;

function load(type: string, requireAll: () => any) {
  const swap = SWAPS[type];
  if (!swap) return requireAll();
  const [original, changed] = swap;
  const factory = __webpack_modules__[original];
  __webpack_modules__[original] = __webpack_modules__[changed];
  try {
    return requireAll();
  } finally {
    __webpack_modules__[original] = factory;
  }
}
`;
  const exported = [CONTROL, ...changed.map(([type]) => type)].flatMap((type) =>
    Object.entries(WORKFLOWS).map(([file, names]) => {
      // Loaded when it is run, with its mistake.
      const module = `load('${type}', () => require(${JSON.stringify(file)}))`;
      return names.map((name) => `export const ${type}_${name} = (...args) => ${module}.${name}(...args);\n`).join('');
    }),
  );
  writeFileSync(join(folder, 'index.ts'), `${loading}${exported.join('')}`);
  return bundleForReplay(join(folder, 'index.ts'));
}

describe('mutants of the workflow code', () => {
  let folder: string;
  let bundle: Bundle;
  let bundling: Promise<Bundle> | undefined;

  beforeAll(async () => {
    // In the project, so that the files find its packages.
    mkdirSync(join(PROJECT, '.reflect'), { recursive: true });
    folder = mkdtempSync(join(PROJECT, '.reflect', 'mutants-'));
    withMistake(folder, GUARDED, guarded);
    for (const [index, mutant] of mutants.entries()) withMistake(folder, typeOf(index), mutant);
    bundling = bundleAll(folder);
    bundle = await bundling;
  }, 180_000);
  afterAll(async () => {
    // A bundler whose files go away under it goes on after the test, breaks the next one, and keeps jest from ending.
    await bundling?.catch(() => undefined);
    rmSync(folder, { recursive: true, force: true });
  }, 180_000);

  test.each([
    ['the code without a mutation', CONTROL],
    ['a change behind patched()', GUARDED],
  ])('%s replays everything', async (_what, type) => {
    const replayed = await replay(bundle, recordings, type);
    expect(replayed.map(({ name }) => name)).toEqual(recordings.map(({ name }) => name));
    expect(replayed.filter(({ error }) => error)).toEqual([]);
  });

  test('there are at least 10 that change what a run does', () => {
    expect(mutants.filter(({ seenIn }) => !seenIn).length).toBeGreaterThanOrEqual(10);
  });

  const rows = mutants.map((mutant, index) => [mutant.why, typeOf(index), mutant] as const);

  test.each(rows)('replay catches: %s', async (_why, type, { seenIn, caughtBy }) => {
    const caught = await firstReplayed(bundle, withFirst(caughtBy), type, (each) =>
      seenIn ? !each.error && endsOtherwise(each) : each.diverged,
    );
    expect(caught).toBeDefined();
  });
});
