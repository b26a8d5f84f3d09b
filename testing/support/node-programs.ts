import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fetchedPackages } from './fetched-packages';

/** The versions of Node.js that the package supports, by their major number. */
export const NODE_VERSIONS = [20, 22, 24] as const;

export type NodeVersion = (typeof NODE_VERSIONS)[number];

const OWN = Number.parseInt(process.versions.node, 10);
const IS_WINDOWS = process.platform === 'win32';

/** The packages that hold the programs of this machine, by the names under which they are installed. */
function packages(): Record<string, string> {
  const system = `${IS_WINDOWS ? 'win' : process.platform}-${process.arch}`;
  const others = NODE_VERSIONS.filter((major) => major !== OWN);
  const node = others.map((major) => [`node-${major}`, `npm:node-${system}@${major}`]);
  // Later ones do not run on Node.js 20.
  return { ...(Object.fromEntries(node) as Record<string, string>), pnpm: '10' };
}

/** Versions of Node.js, and pnpm. */
export interface Programs {
  node(major: NodeVersion): string;
  pnpm(args: readonly string[], cwd: string): void;
}

/** Fetches the programs from the registry, unless they are there. The version of Node.js that runs is used as it is. */
export function fetchedPrograms(): Programs {
  const modules = fetchedPackages('programs', packages());
  return {
    node(major) {
      if (major === OWN) return process.execPath;
      return path.join(modules, `node-${major}`, 'bin', IS_WINDOWS ? 'node.exe' : 'node');
    },
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
