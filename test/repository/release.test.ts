import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { dateChangelog, ReleaseRefusedError, requireReady, setVersion, VERSIONED } from '../../testing/build/release';

const PROJECT = path.join(__dirname, '..', '..');
const READY = { branch: 'main', changes: [], tags: ['v0.1.0'] };

describe('what a release asks for', () => {
  test.each([
    ['v1.2.3', READY, 'is no version'],
    ['1.2', READY, 'is no version'],
    ['0.2.0', { ...READY, branch: 'topic' }, 'this is topic'],
    ['0.2.0', { ...READY, changes: [' M README.md'] }, 'README.md'],
    ['0.1.0', READY, 'v0.1.0 is there already'],
  ])('%s: refused, since the repository is %j', (version, repository, why) => {
    expect(() => requireReady(version, repository)).toThrow(ReleaseRefusedError);
    expect(() => requireReady(version, repository)).toThrow(why);
  });

  test('gives the section of the version its date, and no other', () => {
    const changelog = '# Changelog\n\n## [0.2.0] - Unreleased\n\nNew.\n\n## [0.1.0] - 2026-11-24\n';
    const dated = '# Changelog\n\n## [0.2.0] - 2026-12-01\n\nNew.\n\n## [0.1.0] - 2026-11-24\n';
    expect(dateChangelog(changelog, '0.2.0', '2026-12-01')).toBe(dated);
    expect(() => dateChangelog(changelog, '0.3.0', '2026-12-01')).toThrow('has no section');
    expect(() => dateChangelog(changelog, '0.1.0', '2026-12-01')).toThrow('was released');
  });

  test.each(VERSIONED)('sets the version in $file, which names that of the package, after $before', (place) => {
    const { version } = JSON.parse(readFileSync(path.join(PROJECT, 'package.json'), 'utf8')) as { version: string };
    const text = readFileSync(path.join(PROJECT, place.file), 'utf8');
    const next = setVersion(text, place, '98.7.6');
    expect(next).not.toBe(text);
    expect(setVersion(next, place, version)).toBe(text);
    expect(() => setVersion('', place, version)).toThrow(ReleaseRefusedError);
  });
});

describe('npm run release', () => {
  let folder: string;
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
  const put = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  };
  const release = (...args: string[]) =>
    spawnSync(
      process.execPath,
      ['--import', pathToFileURL(require.resolve('tsx')).href, path.join(PROJECT, 'scripts', 'release.ts'), ...args],
      { cwd: folder, encoding: 'utf8' },
    );

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'release-test-'));
    for (const file of ['docker-compose.yml', 'deploy/kubernetes/workers/kustomization.yaml', 'package-lock.json']) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      cpSync(path.join(PROJECT, file), path.join(folder, file));
    }
    const manifest = { name: 'small', version: '0.1.0', exports: { '.': { default: './index.js' } } };
    put('package.json', `${JSON.stringify(manifest, null, 2)}\n`);
    put('index.js', '');
    put('bin/reflect.js', "console.log(require('../package.json').version);\n");
    put('CHANGELOG.md', '# Changelog\n\n## [0.2.0] - Unreleased\n');
    git('init', '--quiet', '--initial-branch', 'main');
    git('config', 'user.name', 'Test');
    git('config', 'user.email', 'test@example.com');
    git('add', '.');
    git('commit', '--quiet', '--message', 'begin');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('dates, sets the version, tries the tarball, commits and tags; it pushes and publishes nothing', () => {
    const { status, stdout, stderr } = release('0.2.0');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('git push --follow-tags\n  npm publish');
    expect(git('status', '--porcelain')).toBe('');
    expect(git('tag', '--list')).toBe('v0.2.0\n');
    expect(git('show', 'v0.2.0:CHANGELOG.md')).toMatch(/^## \[0\.2\.0\] - \d{4}-\d\d-\d\d$/m);
    expect(git('show', 'v0.2.0:package.json')).toContain('"version": "0.2.0"');
    expect(git('show', 'v0.2.0:docker-compose.yml')).toContain('image: durable-reflection:0.2.0');
  }, 120_000);

  test('with --dry-run, says what it would do, and changes nothing', () => {
    const { status, stdout } = release('0.2.0', '--dry-run');
    expect(status).toBe(0);
    expect(stdout).toContain('tag v0.2.0');
    expect(git('status', '--porcelain') + git('tag', '--list')).toBe('');
  }, 120_000);

  test('of a tarball that says another version, leaves everything as it was', () => {
    put('bin/reflect.js', "console.log('0.0.9');\n");
    git('commit', '--quiet', '--all', '--message', 'break');
    const { status, stderr } = release('0.2.0');
    expect(status).toBe(1);
    expect(stderr).toBe('`reflect --version` of the tarball says 0.0.9.\n');
    expect(git('status', '--porcelain') + git('tag', '--list')).toBe('');
  }, 120_000);
});
