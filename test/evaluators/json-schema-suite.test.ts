import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Json } from '../../src/lib/json/json';
import { type Dialect, metaSchemaOf } from '../../src/evaluators/schema/schema-dialect';
import { bundledSchema } from '../../src/evaluators/schema/references/schema-references';
import { compiledSchema } from '../../src/evaluators/schema/schema-compile';
import { schemaProblems } from '../../src/evaluators/schema/schema-problems';
import type { JsonSchema } from '../../src/evaluators/schema/schema-walk';

interface Group {
  description: string;
  schema: JsonSchema;
  tests: { description: string; data: Json; valid: boolean }[];
}

/** Tests of what is not judged, by why. */
type Refused = Record<string, number>;

/** Formats are always checked here: whoever writes one into a schema of an evaluator means it. */
const FORMATS_ARE_ANNOTATIONS = 'format';

/** Where the suite expects its folder with other documents. */
const ADDRESS = 'http://localhost:1234/';
const suiteFolder = path.join(__dirname, 'json-schema-suite');
const root = mkdtempSync(path.join(tmpdir(), 'reflect-suite-'));
const schemaFolder = { root, address: ADDRESS };

beforeAll(() => {
  const documents = JSON.parse(readFileSync(path.join(suiteFolder, 'remotes.json'), 'utf8')) as Record<string, Json>;
  for (const [name, content] of Object.entries(documents)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), JSON.stringify(content));
  }
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const WHY: readonly [RegExp, string][] = [
  [/must be JSON Schema/, "a $schema of one's own"],
  [/only the way to it/, '$dynamicRef, $recursiveRef'],
  [/cannot be judged beside/, 'unevaluatedItems'],
];

function run(dialect: Dialect): { total: number; wrong: string[]; refused: Refused } {
  const file = path.join(suiteFolder, `${dialect}.json`);
  const suite = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Group[]>;
  const result = { total: 0, wrong: [] as string[], refused: {} as Refused };
  for (const [keyword, groups] of Object.entries(suite)) {
    for (const { description, schema: written, tests } of groups) {
      if (dialect === '2020-12' && keyword === FORMATS_ARE_ANNOTATIONS && /invalid/.test(tests.at(-1)!.description))
        continue;
      result.total += tests.length;
      const schema = typeof written === 'boolean' ? written : { $schema: metaSchemaOf(dialect), ...written };
      const [problem] = schemaProblems({ schema, schemaFolder });
      if (problem) {
        const why = WHY.find(([pattern]) => pattern.test(problem.message))?.[1] ?? problem.message;
        result.refused[why] = (result.refused[why] ?? 0) + tests.length;
        continue;
      }
      // Without the evaluator's reading of texts, in which it looks for the JSON that they may hold.
      const { validate } = compiledSchema(bundledSchema(schema, schemaFolder).schema);
      for (const { description: test, data, valid } of tests) {
        const isValid = validate(data).length === 0;
        if (isValid !== valid) result.wrong.push(`${keyword}: ${description}: ${test}`);
      }
    }
  }
  return result;
}

describe('the JSON Schema Test Suite', () => {
  test.each<[Dialect, Refused]>([
    ['draft-07', {}],
    ['2019-09', { "a $schema of one's own": 5, '$dynamicRef, $recursiveRef': 4, unevaluatedItems: 5 }],
    ['2020-12', { "a $schema of one's own": 5, '$dynamicRef, $recursiveRef': 11, unevaluatedItems: 22 }],
  ])('%s: every verdict is right, and less than 4 %% are refused', (dialect, refused) => {
    const result = run(dialect);
    expect(result.wrong).toEqual([]);
    expect(result.refused).toEqual(refused);
    const share = Object.values(result.refused).reduce((sum, count) => sum + count, 0) / result.total;
    expect(result.total).toBeGreaterThan(600);
    expect(share).toBeLessThan(0.04);
  });
});
