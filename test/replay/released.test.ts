import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RECORDED_IN } from '../../testing/replay/folders';
import { HISTORIES } from '../../testing/replay/recordings';
import { isShallow, releasedRecordings, releasedVersions } from '../../testing/replay/released';

describe('recordings of releases', () => {
  let project: string;
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd: project });
  const commit = (version: string, histories: Record<string, object>) => {
    for (const [name, history] of Object.entries(histories)) {
      writeFileSync(join(project, 'test/replay/histories', name), JSON.stringify(history));
    }
    writeFileSync(join(project, 'CHANGELOG.md'), `# Changelog\n\n${version}\n`);
    git('add', '-A');
    git('commit', '-q', '-m', version);
  };

  beforeAll(() => {
    project = mkdtempSync(join(tmpdir(), 'released-'));
    mkdirSync(join(project, 'test/replay/histories'), { recursive: true });
    git('init', '-q');
  });
  afterAll(() => rmSync(project, { recursive: true, force: true }));

  /** Tags, and for each the events of its recordings. */
  const told = (of: string) =>
    releasedRecordings(of).map(({ tag, files, recordings }) => [
      tag,
      files,
      Object.fromEntries(recordings.map(({ name, history }) => [name, history.events.length])),
    ]);
  const events = (count: number) => ({
    events: Array.from({ length: count }, (_, index) => ({ eventId: `${index}` })),
  });

  test('are those of each tag, as they were recorded, the highest version first', () => {
    commit('## [0.9.0] - Unreleased', { 'run.json': events(1), 'same.json': events(5) });
    expect(releasedRecordings(project)).toEqual([]);
    expect(releasedVersions(project)).toEqual([]);
    git('tag', 'v0.9.0');
    commit('## [0.10.0] - 2026-01-31\n\n## [0.9.0] - 2025-12-31', { 'run.json': events(2) });
    git('tag', 'v0.10.0');
    git('tag', 'v0.11.0-beta.1');
    commit('## [0.10.0] - 2026-01-31\n\n## [0.9.0] - 2025-12-31', { 'run.json': events(0), 'later.json': events(0) });
    // What a later release has unchanged is looked at once.
    expect(told(project)).toEqual([
      ['v0.10.0', 2, { run: 2, same: 5 }],
      ['v0.9.0', 2, { run: 1 }],
    ]);
    expect(releasedVersions(project)).toEqual(['0.10.0', '0.9.0']);
  });

  test('stand where the tag had them, wherever recordings are kept now', () => {
    const moved = join(project, 'moved');
    git('clone', '-q', `file://${project}`, moved);
    execFileSync('git', ['mv', 'test/replay/histories', 'test/recorded'], { cwd: moved });
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '-qm', 'move'], {
      cwd: moved,
    });
    expect(told(moved)).toEqual(told(project));
    // Where they are kept now is the last line of the table.
    expect(HISTORIES.endsWith(RECORDED_IN.at(-1)!.folder)).toBe(true);
  });

  test('a date that is not committed releases nothing', () => {
    const clone = join(project, 'uncommitted');
    git('clone', '-q', '--no-tags', `file://${project}`, clone);
    writeFileSync(join(clone, 'CHANGELOG.md'), '## [0.11.0] - 2026-02-28\n\n## [0.10.0] - 2026-01-31\n');
    expect(releasedVersions(clone)).toEqual(['0.10.0', '0.9.0']);
    expect(told(clone).map(([tag]) => tag)).toEqual(['v0.10.0', 'v0.9.0']);
  });

  test('without tags, or with some of them, they are found by the commits that gave the versions their dates', () => {
    const clone = join(project, 'without-tags');
    git('clone', '-q', '--no-tags', `file://${project}`, clone);
    // The changelog of the first release got its date with the second here.
    const found = [
      ['v0.10.0', 2, { run: 2, same: 5 }],
      ['v0.9.0', 2, {}],
    ];
    expect(told(clone)).toEqual(found);
    execFileSync('git', ['tag', 'v0.10.0', 'HEAD~1'], { cwd: clone });
    expect(told(clone)).toEqual(found);
  });

  test('are the same for a copy of the project in a folder of the repository', () => {
    const clone = join(project, 'with-copy');
    git('clone', '-q', `file://${project}`, clone);
    const copy = join(clone, 'copy');
    mkdirSync(copy);
    expect(told(copy)).toEqual(told(project));
  });

  test('a clone of one commit is known as one', () => {
    expect(isShallow(project)).toBe(false);
    const clone = join(project, 'clone');
    git('clone', '-q', '--depth', '1', '--no-tags', `file://${project}`, clone);
    expect(isShallow(clone)).toBe(true);
    expect(releasedRecordings(clone)).toEqual([]);
    // A tag that it has all the same is taken.
    execFileSync('git', ['tag', 'v0.10.0'], { cwd: clone });
    expect(told(clone).map(([tag]) => tag)).toEqual(['v0.10.0']);
  });
});
