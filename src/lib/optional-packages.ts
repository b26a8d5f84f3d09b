import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** Packages that only some need, by what needs them. They are optional peer dependencies: package.json has their ranges. */
export const OPTIONAL_FEATURES = {
  'Embedded memory': ['@electric-sql/pglite'],
  'Python code': ['pyodide'],
  'JavaScript code': ['quickjs-emscripten'],
  'Lua code': ['wasmoon'],
  'Prolog code': ['swipl-wasm'],
  Tracing: ['@opentelemetry/exporter-trace-otlp-http', '@opentelemetry/resources', '@opentelemetry/sdk-trace-base'],
  Metrics: ['prom-client'],
  'MCP servers': ['@modelcontextprotocol/sdk'],
  'Models of the AI SDK': ['@ai-sdk/provider'],
  'Token estimates': ['gpt-tokenizer'],
  'S3 storage': ['@aws-sdk/client-s3', '@temporalio/external-storage-s3'],
  'Download of a development server': ['@temporalio/testing'],
} as const;

export type OptionalFeature = keyof typeof OPTIONAL_FEATURES;
export type OptionalPackage = (typeof OPTIONAL_FEATURES)[OptionalFeature][number];

/** Major versions that only others can use: npm takes them beside packages that need them, and our code does not. */
const TOO_OLD: Partial<Record<OptionalPackage, number>> = {
  '@opentelemetry/resources': 1,
  '@opentelemetry/sdk-trace-base': 1,
};

/** A feature was requested that needs packages which are not installed. */
export class PackageMissing extends Error {
  readonly type = 'PackageMissing';

  constructor(
    readonly feature: OptionalFeature,
    readonly packages: readonly OptionalPackage[],
    /** The command that installs them. */
    readonly install = installCommand(packages),
  ) {
    const are = packages.length === 1 ? 'is' : 'are';
    const versions = packages.flatMap((name) => (TOO_OLD[name] === undefined ? [] : [`${name} ${TOO_OLD[name] + 1}`]));
    const atLeast = versions.length === 0 ? '' : ` (at least ${versions.join(', ')})`;
    super(`${feature}: ${packages.join(', ')} ${are} not installed${atLeast}. Install with: ${install}`);
    this.name = this.type;
  }
}

function optionalRanges(): Record<string, string> {
  const { peerDependencies } = require('../../package.json') as { peerDependencies: Record<string, string> };
  return peerDependencies;
}

function installCommand(packages: readonly OptionalPackage[]): string {
  const ranges = optionalRanges();
  // Packages of the SDK must all have one version; drivers of storages bring what they need, and have versions of their own.
  const isOfSdk = (name: string) => name.startsWith('@temporalio/') && !name.includes('external-storage');
  const rangeOf = (name: OptionalPackage) =>
    (isOfSdk(name) && installedVersion('@temporalio/common')) || ranges[name]!.split(' || ').at(-1)!;
  // A shell takes `>` and blanks of a range for something else.
  const quoteWord = (word: string) => (/[<> ]/.test(word) ? `'${word}'` : word);
  return `npm install ${packages.map((name) => quoteWord(`${name}@${rangeOf(name)}`)).join(' ')}`;
}

/** Finds a package as Node does, but by folder: not every package exports its package.json. */
export function packageFolder(name: string, from = __dirname): string | undefined {
  const places = createRequire(path.join(from, 'index.js')).resolve.paths(name) ?? [];
  const found = places.map((place) => path.join(place, name)).find((place) => isPackage(place));
  return found ?? findFolderOfMain(name, from);
}

const isPackage = (folder: string): boolean => existsSync(path.join(folder, 'package.json'));

function findFolderOfMain(name: string, from: string): string | undefined {
  try {
    let folder = path.dirname(createRequire(path.join(from, 'index.js')).resolve(name));
    while (!isPackage(folder) && folder !== path.dirname(folder)) folder = path.dirname(folder);
    return isPackage(folder) ? folder : undefined;
  } catch {
    return undefined;
  }
}

function isTooOld(name: OptionalPackage, from?: string): boolean {
  return Number.parseInt(installedVersion(name, from) ?? '', 10) <= (TOO_OLD[name] ?? -1);
}

export function installedVersion(name: string, from?: string): string | undefined {
  const folder = packageFolder(name, from);
  if (folder === undefined) return undefined;
  return (JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as { version: string }).version;
}

/** An error that names the packages which a feature lacks and says how to install them; undefined if the feature lacks none. */
export function findMissing(feature: OptionalFeature, from?: string): PackageMissing | undefined {
  const missing = OPTIONAL_FEATURES[feature].filter(
    (name) => packageFolder(name, from) === undefined || isTooOld(name, from),
  );
  return missing.length === 0 ? undefined : new PackageMissing(feature, missing);
}

/** @throws PackageMissing */
export function assertInstalled(feature: OptionalFeature): void {
  const missing = findMissing(feature);
  if (missing) throw missing;
}

/**
 * Loads an optional package. Its types are for the caller to name: a public declaration must not import it. Throws
 * PackageMissing, which names all that the feature lacks.
 */
export function requireOptional(feature: OptionalFeature, name: OptionalPackage, part?: string): unknown {
  assertInstalled(feature);
  return createRequire(__filename)(part === undefined ? name : `${name}/${part}`) as unknown;
}

/** Returns the main file of an optional package, for another thread or process to load. Throws PackageMissing. */
export function resolveOptional(feature: OptionalFeature, name: OptionalPackage): string {
  assertInstalled(feature);
  return require.resolve(name);
}
