/** Which declarations a user's compiler reads: those of the entry points, and what these name or add to. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

/** Returns the files of the entry points of the package below the folder that is built, without their endings. */
export function entryFiles(): string[] {
  const { exports } = JSON.parse(readFileSync(path.join(__dirname, '..', '..', 'package.json'), 'utf8')) as {
    exports: Record<string, string | { default: string }>;
  };
  return Object.values(exports).flatMap((entry) =>
    typeof entry === 'string' ? [] : [entry.default.replace(/^\.\/dist\/|\.js$/g, '')],
  );
}

/** Declarations below a folder that the entry points lead to, and the packages that these name. */
export function reachedDeclarations(folder: string): { files: Set<string>; packages: Set<string> } {
  const files = new Set<string>();
  const packages = new Set<string>();
  const walk = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    for (const [, name] of readFileSync(file, 'utf8').matchAll(
      /(?:from|import|import\(|declare module) ?['"]([^'"\s]+)['"]/g,
    )) {
      const near = path.join(path.dirname(file), name!);
      if (!name!.startsWith('.')) packages.add(name!);
      else walk(existsSync(`${near}.d.ts`) ? `${near}.d.ts` : path.join(near, 'index.d.ts'));
    }
  };
  for (const entry of entryFiles()) walk(path.join(folder, `${entry}.d.ts`));
  return { files, packages };
}

/** Removes the declarations that nobody can reach: each takes a block of the disk that it is installed on. */
export function removeUnreached(folder: string): void {
  const { files } = reachedDeclarations(folder);
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.d.ts'));
  for (const file of all.map((each) => path.join(folder, each))) if (!files.has(file)) rmSync(file);
}
