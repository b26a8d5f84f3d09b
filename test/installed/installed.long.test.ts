import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { OPTIONAL_FEATURES } from '../../src/lib/optional-packages';
import { npm, packedPackage } from '../../testing/support/packed-package';

/** The package is built and packed, and installed from the registry with the SDK. */
jest.setTimeout(600_000);

const PROJECT = path.join(__dirname, '..', '..');
const SDK = ['activity', 'client', 'common', 'worker', 'workflow'].map((name) => `@temporalio/${name}`);
const MOST_BYTES = 60_000_000;

let folder: string;
let grown: number;

/** Bytes on the disk, as `du` counts them. */
function bytesIn(place: string): number {
  const { blocks } = lstatSync(place);
  const inside = lstatSync(place).isDirectory()
    ? readdirSync(place).map((name) => bytesIn(path.join(place, name)))
    : [];
  return inside.reduce((sum, each) => sum + each, blocks * 512);
}

/** The command as it is installed, with nothing of this repository beside it. */
function reflect(args: string[], env: NodeJS.ProcessEnv = {}) {
  const bin = path.join(folder, 'node_modules', '.bin', 'reflect');
  const { status, stdout, stderr } = spawnSync(bin, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', DATABASE_URL: '', ...env },
    timeout: 120_000,
  });
  return { status, said: stdout + stderr };
}

function missing(feature: keyof typeof OPTIONAL_FEATURES, name: string): RegExp {
  return new RegExp(`${feature}: ${name} is not installed\\. Install with: npm install ${name}@`);
}

beforeAll(async () => {
  const tarball = await packedPackage();
  folder = mkdtempSync(path.join(tmpdir(), 'reflect-installed-'));
  writeFileSync(path.join(folder, 'package.json'), '{ "name": "project", "private": true }');
  const modules = path.join(folder, 'node_modules');
  const version = (name: string) =>
    (JSON.parse(readFileSync(path.join(PROJECT, 'node_modules', name, 'package.json'), 'utf8')) as { version: string })
      .version;
  const install = ['install', '--ignore-scripts', '--prefer-offline'];
  npm([...install, ...SDK.map((name) => `${name}@${version(name)}`)], folder);
  const before = bytesIn(modules);
  npm([...install, tarball], folder);
  grown = bytesIn(modules) - before;
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the package, installed beside the SDK', () => {
  test('takes at most 60 MB, and brings nothing that only some need', () => {
    expect(grown).toBeGreaterThan(10_000_000);
    expect(grown).toBeLessThanOrEqual(MOST_BYTES);
    const there = (name: string) => existsSync(path.join(folder, 'node_modules', name));
    expect(there('openai')).toBe(true);
    expect(Object.values(OPTIONAL_FEATURES).flat().filter(there)).toEqual([]);
  });

  test('the client loads neither the database driver nor anything of a worker', () => {
    const program = `require('durable-reflection'); console.log(JSON.stringify(Object.keys(require.cache)))`;
    const loaded = JSON.parse(
      execFileSync(process.execPath, ['-e', program], { cwd: folder, encoding: 'utf8' }),
    ) as string[];
    expect(loaded.some((file) => file.includes('@temporalio/client'))).toBe(true);
    const strange =
      /node_modules\/(?:pg|openai|@temporalio\/(?:worker|core-bridge))\/|durable-reflection\/dist\/(?:worker|activities|sandbox|models|memory)[/.]/;
    expect(loaded.filter((file) => strange.test(file))).toEqual([]);
  });

  test('the worker entry loads without any of them', () => {
    const program = `const { createWorker, WorkerMetrics } = require('durable-reflection/worker');
      try { new WorkerMetrics(); } catch ({ type, message }) { console.log(typeof createWorker, type, message); }`;
    const said = execFileSync(process.execPath, ['-e', program], { cwd: folder, encoding: 'utf8' });
    expect(said).toMatch(/^function PackageMissing /);
    expect(said).toMatch(missing('Metrics', 'prom-client'));
  });

  test('the command helps, and refuses what is missing by name', () => {
    expect(reflect(['--help'])).toMatchObject({ status: 0, said: expect.stringContaining('worker') as string });
    const memory = reflect(['memory', 'list']);
    expect(memory.status).not.toBe(0);
    expect(memory.said).toMatch(missing('Embedded memory', '@electric-sql/pglite'));
    const metrics = reflect(['worker', '--port', '0']);
    expect(metrics.status).not.toBe(0);
    expect(metrics.said).toMatch(missing('Metrics', 'prom-client'));
    const traces = reflect(['worker'], { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
    expect(traces.status).not.toBe(0);
    expect(traces.said).toContain('Tracing: @opentelemetry/exporter-trace-otlp-http, ');
  });
});
