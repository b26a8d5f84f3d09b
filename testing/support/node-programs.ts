import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fetchedPackages } from './fetched-packages';

/** The versions of Node.js that the package supports, by their major number. */
export const NODE_VERSIONS = [20, 22, 24] as const;

export type NodeVersion = (typeof NODE_VERSIONS)[number];

const OWN = Number.parseInt(process.versions.node, 10);
const IS_WINDOWS = process.platform === 'win32';

/** The package that holds a version of Node.js for this machine. */
function nodePackage(major: NodeVersion): string {
  return `npm:node-${IS_WINDOWS ? 'win' : process.platform}-${process.arch}@${major}`;
}

/** The packages that hold the programs of this machine, by the names under which they are installed. */
function packages(): Record<string, string> {
  const others = NODE_VERSIONS.filter((major) => major !== OWN);
  const node = others.map((major) => [`node-${major}`, nodePackage(major)]);
  // Later ones do not run on Node.js 20.
  return { ...(Object.fromEntries(node) as Record<string, string>), pnpm: '10' };
}

/** Versions of Node.js, and pnpm. */
export interface Programs {
  node(major: NodeVersion): string;
  pnpm(args: readonly string[], cwd: string): void;
}

/** What npm has to install for a version of Node.js: nothing for the version that runs. */
export function nodeInstalls(major: NodeVersion): string[] {
  return major === OWN ? [] : [`node-${major}@${nodePackage(major)}`];
}

/** The program of a version of Node.js that `nodeInstalls` put into a `node_modules`. */
export function nodeOf(modules: string, major: NodeVersion): string {
  return major === OWN
    ? process.execPath
    : path.join(modules, `node-${major}`, 'bin', IS_WINDOWS ? 'node.exe' : 'node');
}

/** Fetches the programs from the registry, unless they are there. The version of Node.js that runs is used as it is. */
export function fetchedPrograms(): Programs {
  const modules = fetchedPackages('programs', packages());
  return {
    node: (major) => nodeOf(modules, major),
    pnpm(args, cwd) {
      const store = ['--store-dir', path.join(path.dirname(modules), 'pnpm-store')];
      const program = path.join(modules, 'pnpm', 'bin', 'pnpm.cjs');
      const options = [...store, '--prefer-offline', '--reporter', 'append-only'];
      const { status, stdout } = spawnSync(process.execPath, [program, ...args, ...options], { cwd, encoding: 'utf8' });
      // It tells of failures there, too.
      if (status !== 0) throw new Error(`pnpm ${args.join(' ')}: ${stdout}`);
    },
  };
}
