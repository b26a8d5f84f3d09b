/** Fields that a release took away, by the ends of their paths, with what to use instead. */
const GONE_FIELDS: Readonly<Record<string, string>> = {
  '/judge/docket':
    'is gone since 0.3; `convergence: { endsWith: "minor" }` ends a loop that has only minor issues left',
  '/valuesFrom': 'is gone since 0.3; a `function` evaluator compares the values of an output with its inputs',
};

/** Says what takes the place of a field that an earlier release had; undefined for any other. */
export function remedyFor(path: string): string | undefined {
  return Object.entries(GONE_FIELDS).find(([end]) => path.endsWith(end))?.[1];
}
