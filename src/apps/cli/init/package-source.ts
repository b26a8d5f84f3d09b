import { existsSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';

interface Named {
  name: string;
  version: string;
}

export interface PackageSource {
  /** A range of versions for package.json, or `file:` with the path of a tarball from the project's folder. */
  spec: string;
  /** The command that makes this tarball in the project's folder; undefined where it is made already. */
  pack?: string;
}

/**
 * Finds how a new project can get this package: from the tarball that it was itself installed from, from one that its checkout
 * packed or can pack, or else from a registry.
 * @param project the folder of the new project, which need not be there
 */
export function packageSource(root: string, project: string, { name, version }: Named): PackageSource {
  const packed = `${name}-${version}.tgz`;
  const specOf = (tarball: string): string => `file:${encode(path.relative(realPath(project), realPath(tarball)))}`;
  if (existsSync(path.join(root, 'scripts', 'build.ts'))) {
    const tarball = [path.dirname(root), root]
      .map((folder) => path.join(folder, packed))
      .find((file) => existsSync(file));
    if (tarball !== undefined) return { spec: specOf(tarball) };
    return { spec: `file:${packed}`, pack: `npm pack ${root.includes(' ') ? `"${root}"` : root}` };
  }
  const tarball = installedTarball(root, name);
  return { spec: tarball === undefined ? `^${version}` : specOf(tarball) };
}

/** Returns the tarball that npm installed the package from, if it is still there. Other package managers keep no such record. */
function installedTarball(root: string, name: string): string | undefined {
  const modules = path.dirname(root);
  try {
    const lock = JSON.parse(readFileSync(path.join(modules, '.package-lock.json'), 'utf8')) as {
      packages?: Record<string, { resolved?: string } | undefined>;
    };
    const [, place] = /^file:(.+)/.exec(lock.packages?.[`node_modules/${name}`]?.resolved ?? '') ?? [];
    const tarball = place === undefined ? undefined : path.resolve(path.dirname(modules), decode(place));
    return tarball !== undefined && existsSync(tarball) ? tarball : undefined;
  } catch {
    return undefined;
  }
}

function realPath(place: string): string {
  return existsSync(place) ? realpathSync(place) : path.join(realPath(path.dirname(place)), path.basename(place));
}

function encode(place: string): string {
  return place.replaceAll(path.sep, '/').replaceAll(/[%#?]/g, encodeURIComponent);
}

function decode(place: string): string {
  return place.replaceAll(/%(?:23|25|3F)/gi, decodeURIComponent);
}
