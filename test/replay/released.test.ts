import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isShallow, latestRelease, releasedVersions } from '../../testing/replay/released';

describe('the latest release', () => {
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

  test('is none before there is a tag, and then that of the highest version, as it was recorded', () => {
    commit('## [0.9.0] - Unreleased', { 'run.json': { events: [{ eventId: '1' }] } });
    expect(latestRelease(project)).toBeUndefined();
    expect(releasedVersions(project)).toEqual([]);
    git('tag', 'v0.9.0');
    commit('## [0.10.0] - 2026-01-31\n\n## [0.9.0] - 2025-12-31', { 'run.json': { events: [{ eventId: '2' }] } });
    git('tag', 'v0.10.0');
    git('tag', 'v0.11.0-beta.1');
    commit('## [0.10.0] - 2026-01-31', { 'run.json': { events: [] }, 'later.json': { events: [] } });
    expect(latestRelease(project)).toEqual({
      tag: 'v0.10.0',
      recordings: [{ name: 'run', history: { events: [{ eventId: '2' }] } }],
    });
    expect(releasedVersions(project)).toEqual(['0.10.0']);
  });

  test('a date that is not committed releases nothing', () => {
    const clone = join(project, 'uncommitted');
    git('clone', '-q', '--no-tags', `file://${project}`, clone);
    writeFileSync(join(clone, 'CHANGELOG.md'), '## [0.11.0] - 2026-02-28\n\n## [0.10.0] - 2026-01-31\n');
    expect(releasedVersions(clone)).toEqual(['0.10.0']);
    expect(latestRelease(clone)?.tag).toBe('v0.10.0');
  });

  test('without tags, it is the commit that gave the version its date', () => {
    const clone = join(project, 'without-tags');
    git('clone', '-q', '--no-tags', `file://${project}`, clone);
    expect(latestRelease(clone)).toEqual(latestRelease(project));
  });

  test('is the same for a copy of the project in a folder of the repository', () => {
    const clone = join(project, 'with-copy');
    git('clone', '-q', '--no-tags', `file://${project}`, clone);
    const copy = join(clone, 'copy');
    mkdirSync(copy);
    expect(latestRelease(copy)).toEqual(latestRelease(project));
  });

  test('a clone of one commit is known as one', () => {
    expect(isShallow(project)).toBe(false);
    const clone = join(project, 'clone');
    git('clone', '-q', '--depth', '1', '--no-tags', `file://${project}`, clone);
    expect(isShallow(clone)).toBe(true);
    expect(latestRelease(clone)).toBeUndefined();
    // A tag that it has all the same is taken.
    execFileSync('git', ['tag', 'v0.10.0'], { cwd: clone });
    expect(latestRelease(clone)?.tag).toBe('v0.10.0');
  });
});
