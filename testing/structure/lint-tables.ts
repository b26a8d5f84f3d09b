/** Reads the order of the folders, and the rules that files are under, from the configuration of the linter. */
import path from 'node:path';
import { areaOf } from './areas.cjs';

export interface LintConfig {
  overrides: { files: string[]; rules?: Record<string, unknown> }[];
}

interface Rights {
  packages?: string[];
}

/** Returns the table of a rule: the first option of the override that has the rule. */
function tablesOf<Table>({ overrides }: LintConfig, rule: string): Table[] {
  return overrides.flatMap(({ rules }) => {
    const setting = rules?.[rule];
    return Array.isArray(setting) && setting.length > 1 ? [setting[1] as Table] : [];
  });
}

/** Areas of `src` with their rights, from the highest to the lowest: a file imports from later areas. */
const arrowsOf = (config: LintConfig) =>
  Object.assign({}, ...tablesOf<Record<string, Rights>>(config, 'repository/arrows')) as Record<string, Rights>;

/** Folders of an area by floors, the lowest floor first. */
const floorsOf = (config: LintConfig) =>
  Object.assign({}, ...tablesOf<Record<string, string[][]>>(config, 'repository/floors')) as Record<string, string[][]>;

/** Returns a path without the ending of a file of TypeScript. */
const placeOf = (file: string) => file.replace(/\.ts$/, '');

/** Finds the area that a contract belongs to, which takes types of it and gives it values. */
const ownerOf = (area: string) => area.replace(/\/contract$/, '');

/** Counts the floors that the folders inside of areas are sorted into. */
export function countFloors(config: LintConfig): number {
  return Object.values(floorsOf(config)).flat().length;
}

/** Returns whether an import runs against the order of the table. Both files are paths below `src`. */
export function upwardIn(config: LintConfig): (from: string, to: string) => boolean {
  const areas = Object.keys(arrowsOf(config));
  const floors = floorsOf(config);
  const partsOf = (file: string) => placeOf(file).split('/');
  return (from, to) => {
    const [area, otherArea] = [areaOf(areas, placeOf(from)), areaOf(areas, placeOf(to))];
    if (ownerOf(area) !== ownerOf(otherArea)) return areas.indexOf(otherArea) < areas.indexOf(area);
    const [, folder = ''] = partsOf(from);
    const [, other = ''] = partsOf(to);
    const floorOf = (name: string) => floors[area]?.findIndex((floor) => floor.includes(name)) ?? -1;
    return folder !== other && floorOf(folder) !== -1 && floorOf(other) >= floorOf(folder);
  };
}

/** Returns whether a path matches a pattern of the configuration: `src/loop/**`, `src/*.ts`, `src/{lib,loop}/**`. */
export function matchesGlob(file: string, glob: string): boolean {
  const pattern = glob
    .replaceAll(/[.+^$()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/\{([^}]*)\}/g, (_, names: string) => `(?:${names.replaceAll(',', '|')})`)
    .replaceAll(/\*\*\/?|\*/g, (stars) => (stars === '*' ? '[^/]*' : stars === '**' ? '.*' : '(?:.*/)?'));
  return new RegExp(`^${pattern}$`).test(file);
}

/** Lists the stricter rules that a file of `src` is under: about determinism, promises that are not awaited, and packages. */
export function rulesOf(config: LintConfig, file: string): string[] {
  const has = (rule: string) =>
    config.overrides.some(
      ({ files, rules }) => rules?.[rule] !== undefined && files.some((glob) => matchesGlob(file, glob)),
    );
  const arrows = arrowsOf(config);
  const area = areaOf(Object.keys(arrows), placeOf(path.posix.relative('src', file)));
  return [
    ...(has('repository/no-current-date') ? ['determinism'] : []),
    ...(has('typescript/no-floating-promises') ? ['promises'] : []),
    ...(file.startsWith('src/') && arrows[area]?.packages ? ['packages'] : []),
  ];
}
