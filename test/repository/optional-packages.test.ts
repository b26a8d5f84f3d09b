import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  installedVersion,
  findMissing,
  OPTIONAL_FEATURES,
  type OptionalFeature,
  packageFolder,
  PackageMissing,
} from '../../src/lib/optional-packages';

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
  peerDependenciesMeta: Record<string, { optional?: boolean }>;
}

const PROJECT = path.join(__dirname, '..', '..');
const read = (file: string) => readFileSync(path.join(PROJECT, file), 'utf8');
const manifest = JSON.parse(read('package.json')) as Manifest;
const { peerDependenciesMeta: meta } = manifest;
/** What users have anyway. */
const SDK = ['activity', 'client', 'common', 'proto', 'workflow'].map((name) => `@temporalio/${name}`);
const named = Object.values(OPTIONAL_FEATURES).flat();

describe('optional packages', () => {
  test('are the optional peers of package.json, each for one feature', () => {
    const others = Object.keys(meta).filter((name) => meta[name]?.optional && !SDK.includes(name));
    expect(named.toSorted()).toEqual(others.toSorted());
    expect(new Set(named).size).toBe(named.length);
  });

  test('are there in a checkout, in the versions that users are asked for', () => {
    for (const name of named) {
      const { [name]: here } = manifest.devDependencies;
      expect(here).toBeDefined();
      if (!name.startsWith('@temporalio/')) {
        expect(manifest.peerDependencies[name]!.split(' || ')).toContain(here);
      }
      expect(manifest.dependencies).not.toHaveProperty([name]);
      expect(installedVersion(name)).toMatch(/^\d/);
    }
    for (const feature of Object.keys(OPTIONAL_FEATURES) as OptionalFeature[])
      expect(findMissing(feature)).toBeUndefined();
  });

  test('no dependency that users get is a canary, a beta or another version before its release', () => {
    const got = { ...manifest.dependencies, ...manifest.peerDependencies };
    expect(Object.keys(got).length).toBeGreaterThan(20);
    const locked = JSON.parse(read('package-lock.json')) as { packages: Record<string, { version: string }> };
    const early = Object.entries(got).filter(
      ([name, range]) => /\d-/.test(range) || locked.packages[`node_modules/${name}`]!.version.includes('-'),
    );
    expect(early).toEqual([]);
  });

  test('one that is missing is refused with all that its feature lacks, and the command that installs it', () => {
    const error = new PackageMissing('Tracing', OPTIONAL_FEATURES.Tracing);
    // The versions that others need are for them: the newest is what our code is written for.
    const range = (name: string) => `${name}@${manifest.peerDependencies[name]!.split(' || ').at(-1)}`;
    expect(error.type).toBe('PackageMissing');
    expect(error.message).toBe(
      'Tracing: @opentelemetry/exporter-trace-otlp-http, @opentelemetry/resources, @opentelemetry/sdk-trace-base are ' +
        'not installed (at least @opentelemetry/resources 2, @opentelemetry/sdk-trace-base 2). ' +
        `Install with: npm install ${OPTIONAL_FEATURES.Tracing.map(range).join(' ')}`,
    );
    expect(new PackageMissing('Lua code', ['wasmoon']).message).toBe(
      `Lua code: wasmoon is not installed. Install with: npm install ${range('wasmoon')}`,
    );
    // A shell would take `>` for a redirection, and the blank for the end of the word.
    expect(new PackageMissing('S3 storage', ['@temporalio/external-storage-s3']).install).toBe(
      `npm install '${range('@temporalio/external-storage-s3')}'`,
    );
    // Of the SDK's packages, the version of the others: two versions would be two copies of the SDK.
    expect(new PackageMissing('Download of a development server', ['@temporalio/testing']).install).toBe(
      `npm install @temporalio/testing@${installedVersion('@temporalio/common')}`,
    );
  });

  test('are found where Node would find them, and nowhere else', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'reflect-optional-'));
    try {
      const place = path.join(folder, 'node_modules', 'wasmoon');
      const from = path.join(folder, 'a', 'b');
      expect(packageFolder('wasmoon', from)).toBeUndefined();
      mkdirSync(place, { recursive: true });
      // A folder that was left behind is no package.
      expect(packageFolder('wasmoon', from)).toBeUndefined();
      writeFileSync(path.join(place, 'package.json'), '{}');
      expect(packageFolder('wasmoon', from)).toBe(place);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("OpenTelemetry 1, which Temporal's OpenAI plugin brings, is there for it, and not for our traces", () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'reflect-optional-'));
    const install = (name: string, version: string) => {
      const place = path.join(folder, 'node_modules', name);
      mkdirSync(place, { recursive: true });
      writeFileSync(path.join(place, 'package.json'), JSON.stringify({ name, version }));
    };
    try {
      for (const name of OPTIONAL_FEATURES.Tracing) install(name, '1.30.1');
      expect(findMissing('Tracing', folder)?.packages).toEqual([
        '@opentelemetry/resources',
        '@opentelemetry/sdk-trace-base',
      ]);
      for (const name of OPTIONAL_FEATURES.Tracing) install(name, '2.12.1');
      expect(findMissing('Tracing', folder)).toBeUndefined();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('every page that says what needs what names each of them', () => {
    const page = read('docs/install.md');
    expect(named.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
    for (const feature of Object.keys(OPTIONAL_FEATURES)) expect(page).toContain(feature);
  });

  test('the image has them: its build makes dependencies of all peers', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'reflect-image-'));
    try {
      expect(read('Dockerfile')).toMatch(/node scripts\/image-packages\.mjs.*\n.*npm prune --omit=dev/);
      writeFileSync(path.join(folder, 'package.json'), read('package.json'));
      const script = path.join(PROJECT, 'scripts', 'image-packages.mjs');
      expect(spawnSync(process.execPath, [script], { cwd: folder }).status).toBe(0);
      const image = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest;
      expect(Object.keys(image.dependencies)).toEqual(expect.arrayContaining(named));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('the image keeps what is loaded: the core of its platform, code and licences, and no types, maps or sources', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'reflect-image-'));
    const bridge = path.join('node_modules', '@temporalio', 'core-bridge');
    const { getPrebuiltPath } = jest.requireActual<{ getPrebuiltPath(): string }>('@temporalio/core-bridge/common');
    // By its end: where node_modules is a link, a relative path would lead out of the folder, to the real file.
    const core = path.dirname(getPrebuiltPath().split(`${bridge}${path.sep}`).at(-1)!);
    const kept = ['lib/index.js', 'common.js', 'package.json', 'LICENSE.md', path.join(core, 'index.node')];
    const dropped = ['lib/index.d.ts', 'lib/index.js.map', 'README.md', 'src/lib.rs', 'releases/other/index.node'];
    const write = (name: string, text = '') => {
      mkdirSync(path.dirname(path.join(folder, bridge, name)), { recursive: true });
      writeFileSync(path.join(folder, bridge, name), text);
    };
    try {
      expect(read('Dockerfile')).toMatch(/npm prune --omit=dev.*\n.*node scripts\/image-files\.mjs/);
      for (const name of [...kept, ...dropped]) write(name, '{}');
      write('common.js', read(path.join(bridge, 'common.js')));
      const script = path.join(PROJECT, 'scripts', 'image-files.mjs');
      expect(spawnSync(process.execPath, [script], { cwd: folder, encoding: 'utf8' })).toMatchObject({
        status: 0,
        stderr: '',
      });
      const there = (name: string) => existsSync(path.join(folder, bridge, name));
      expect(kept.filter((name) => !there(name))).toEqual([]);
      expect(dropped.filter(there)).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
