import * as fc from 'fast-check';
import { parseAgentReflection } from '../../../src/kinds/agents/parse/agents';
import { parseCorrection, parseEvaluation } from '../../../src/kinds/standalone/parse/standalone';
import { parsePipeline } from '../../../src/kinds/pipeline/parse/pipeline';
import { parsePlanSpec } from '../../../src/kinds/plan/parse/plan';
import { parseSpec } from '../../../src/loop/parse/spec';
import { pagesOf } from '../../../src/kinds/batch/client/pages';
import type { WorkflowType } from '../../../testing/limits/limit-case';
import { oddText, type TextField, textFields } from '../../../testing/support/odd-texts';

const PARSERS: Partial<Record<WorkflowType, (value: unknown) => object>> = {
  reflectionLoop: parseSpec,
  reflectionEvaluate: parseEvaluation,
  reflectionCorrect: parseCorrection,
  reflectionPipeline: parsePipeline,
  planReflection: parsePlanSpec,
  agentReflection: parseAgentReflection,
};

/** Fields that become, or are a part of, an id, a type, a queue or the name of anything. */
const NAMES =
  /(?:^|\.)(?:workflow|taskQueue|name|id|agent|action|uses|model|reflectionModel|output|tools\[\]|reflectOnTools\[\]|type|command|criteria\[\]|dependsOn\[\]|on(?:Generation|Reflection|Revision))$/;

function problemsOf(workflow: WorkflowType, value: unknown): { path: string; message: string }[] {
  const parsed = PARSERS[workflow]!(value);
  return 'problems' in parsed ? (parsed.problems as { path: string; message: string }[]) : [];
}

/** Errors that a correction is given are data, whatever their fields are called. */
const isName = ({ name, kind }: TextField): boolean =>
  kind === 'text' && NAMES.test(name) && !name.startsWith('errors[]');

describe('texts that the protocol does not take, in every field of every shape', () => {
  const fields = textFields();
  const names = fields.filter(isName);

  test('there are as many fields as the shapes have', () => {
    expect(fields.length).toBeGreaterThan(120);
    expect(names.length).toBeGreaterThan(40);
  });

  test.each(names.map((field) => [field.workflow, field.name, field] as const))(
    '%s %s is refused with half a pair or U+0000, at its place',
    (workflow, _name, { withText }) => {
      for (const text of ['Agent\ud83d', '\ude00', 'a\0b']) {
        const problems = problemsOf(workflow, withText(text));
        expect(problems).toContainEqual({
          path: expect.stringMatching(/./) as string,
          message: expect.stringMatching(
            /half of a surrogate pair|U\+0000|control|must be|without|there is no|begin/,
          ) as string,
        });
      }
    },
  );

  test('nothing is thrown, each mistake has a path, and no text that was refused ends a name', () => {
    fc.assert(
      fc.property(fc.constantFrom(...fields), oddText, (field, text) => {
        const problems = problemsOf(field.workflow, field.withText(text));
        const isGood = Buffer.from(text, 'utf8').toString('utf8') === text && !text.includes('\0');
        return problems.length > 0 ? problems.every(({ path }) => typeof path === 'string') : isGood || !isName(field);
      }),
      { numRuns: 8_000 },
    );
  });
});

test('the id of an item that was cut inside of a character is refused with its line', async () => {
  const loop = { generator: { action: 'makes' }, evaluator: { type: 'schema' as const, schema: {} } };
  await expect(pagesOf([{ id: 'good 😀' }, { id: 'cut \ud83d' }], loop)).rejects.toMatchObject({
    problems: [{ path: '/items/1/id', message: expect.stringContaining('half of a surrogate pair') as string }],
  });
});
