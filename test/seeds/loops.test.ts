import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { parseSpecFile, SpecFileError } from '../../src/yaml/index';

/** The documents that the requirements come from. They are not part of this repository. */
const SEEDS = process.env['SEEDS_DIR'] ?? path.join(__dirname, '..', '..', '..', 'shared', 'seeds');

/** What a fragment of a loop lacks, so that the loader looks at the fragment and not at what is missing around it. */
const WRAPPER = {
  generator: { action: 'llm.call', prompt: 'Write.' },
  evaluator: { type: 'schema', schema: true },
};

/** The only reasons why a loop of the documents may not load. */
const KNOWN_REASONS = [
  /not supported yet/,
  // One fragment shows both forms of a step side by side, as alternatives.
  /^generator\.run: unknown field$/,
];

interface Fence {
  name: string;
  text: string;
}

function fences(): Fence[] {
  return readdirSync(SEEDS)
    .filter((file) => file.endsWith('.md'))
    .toSorted()
    .flatMap((file) => {
      const lines = readFileSync(path.join(SEEDS, file), 'utf8').split('\n');
      return lines.flatMap((line, index) => {
        if (!/^ *```ya?ml\s*$/.test(line)) return [];
        const length = lines.slice(index + 1).findIndex((one) => /^ *```\s*$/.test(one));
        return [{ name: `${file}:${index + 2}`, text: lines.slice(index + 1, index + 1 + length).join('\n') }];
      });
    });
}

type Mapping = Record<string, unknown>;
const isMapping = (value: unknown): value is Mapping =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The loops of a fence: loop nodes, or the fence itself where it is a part of a loop. */
function loopsOf({ name, text }: Fence): { name: string; loop: Mapping }[] {
  const [document] = parseAllDocuments(text);
  if (!document || 'empty' in document || document.errors.length > 0) return [];
  const value: unknown = document.toJS();
  const nodes = Array.isArray(value) ? value : isMapping(value) && Array.isArray(value['nodes']) ? value['nodes'] : [];
  const loops = nodes.filter(isMapping).flatMap((node) => {
    const kind = node['uses'] ?? node['action'];
    if (kind !== 'reflection.loop' || !isMapping(node['with'])) return [];
    return [{ name: `${name} ${String(node['name'])}`, loop: node['with'] }];
  });
  const isFragment = isMapping(value) && ['generator', 'evaluator', 'corrector'].some((key) => key in value);
  return isFragment ? [...loops, { name, loop: { ...WRAPPER, ...value } }] : loops;
}

/** Undefined when the loop loads, else why it does not. */
function whyNot(loop: Mapping): string[] | undefined {
  try {
    parseSpecFile(stringify(loop), 'seed.yaml');
    return undefined;
  } catch (error) {
    if (!(error instanceof SpecFileError)) throw error;
    return error.problems.map(({ path: place, message }) => `${place}: ${message}`);
  }
}

const found = existsSync(SEEDS) ? fences().flatMap(loopsOf) : [];

describe('the loops of the documents', () => {
  test('the documents are at hand; SEEDS_DIR says where they are', () => {
    expect(existsSync(SEEDS)).toBe(true);
  });

  test('are found', () => {
    expect(found.length).toBeGreaterThanOrEqual(8);
  });

  test('load, most of them', () => {
    const loaded = found.filter(({ loop }) => whyNot(loop) === undefined);
    expect(loaded.length).toBeGreaterThan(found.length / 2);
  });

  test('load, or say by name what is not built yet', () => {
    const unexplained = found.flatMap(({ name, loop }) =>
      (whyNot(loop) ?? [])
        .filter((reason) => !KNOWN_REASONS.some((known) => known.test(reason)))
        .map((reason) => `${name}: ${reason}`),
    );
    expect(unexplained).toEqual([]);
  });
});
