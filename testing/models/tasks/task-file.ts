import { z } from 'zod';
import type { Json } from '../../../src/lib/json/json';
import { codeProblems, codeTest } from '../checks/code';
import { inventedNumbers, ruleProblems, textRules } from '../checks/rules';
import { valueProblems, withValueAt } from '../checks/values';
import type { Task } from '../task';

/** Prompts are templates in a spec, and a text that looks like one would be another prompt there than elsewhere. */
const plain = z.string().refine((text) => !/\{[{%#]/.test(text), 'must not look like a template');
const id = z.string().regex(/^[a-z]+(?:-[a-z\d]+)+$/);

const extraction = z.strictObject({
  kind: z.literal('extraction'),
  instruction: plain,
  schema: z.record(z.string(), z.json()),
  free: z.array(z.string()).default([]).describe('Keys whose texts may have any words.'),
  accepted: z.record(z.string(), z.array(z.string())).default({}).describe('Texts that mean the same as the truth.'),
  tasks: z.array(
    z.strictObject({
      id,
      source: z.string(),
      truth: z.json(),
      tempting: z
        .record(z.string(), z.json())
        .describe('Wrong values that the text makes likely, by JSON Pointer into the truth.'),
    }),
  ),
});

const text = z.strictObject({
  kind: z.enum(['rewriting', 'summary']),
  tasks: z.array(
    z.strictObject({
      id,
      instruction: plain,
      source: z.string(),
      rules: textRules,
      truth: z.strictObject({
        facts: z.array(z.string()).describe('Patterns that a right text has, in addition to the rules.'),
        errors: z.array(z.string()).default([]).describe('Patterns that a right text does not have.'),
        numbers: z.array(z.string()).default([]).describe('Numbers that it may have although the source has not.'),
      }),
      right: z.string(),
      wrong: z.array(z.string()),
    }),
  ),
});

const code = z.strictObject({
  kind: z.literal('code'),
  tasks: z.array(
    z.strictObject({
      id,
      instruction: plain,
      name: z.string().regex(/^[A-Za-z]+$/),
      visible: z.array(codeTest).min(2),
      hidden: z.array(codeTest).min(4),
      right: z.string(),
      wrong: z.array(z.string()),
    }),
  ),
});

const taskFile = z.discriminatedUnion('kind', [extraction, text, code]);

/** What a checking function is given of an output. */
const OUTPUT = '{{ state.reflection_output }}';

/**
 * The tasks of a file.
 *
 * @throws ZodError
 */
export function tasksOf(content: unknown): Task[] {
  const file = taskFile.parse(content);
  if (file.kind === 'extraction') return extractionTasks(file);
  return file.kind === 'code' ? codeTasks(file) : textTasks(file);
}

function extractionTasks({ kind, instruction, schema, free, accepted, tasks }: z.infer<typeof extraction>): Task[] {
  return tasks.map(({ id: name, source, truth, tempting }) => ({
    id: name,
    kind,
    instruction: instruction.trim(),
    source: source.trim(),
    evaluators: [{ type: 'schema', schema: schema as Record<string, Json> }],
    schema: schema as Record<string, Json>,
    maxTokens: 500,
    truth: (output) => valueProblems(output, truth as Json, { free, accepted }),
    samples: {
      right: JSON.stringify(truth),
      wrong: Object.entries(tempting).map(([path, value]) =>
        JSON.stringify(withValueAt(truth as Json, path, value as Json)),
      ),
    },
  }));
}

function textTasks({ kind, tasks }: z.infer<typeof text>): Task[] {
  return tasks.map(({ id: name, instruction, source, rules, truth, right, wrong }) => ({
    id: name,
    kind,
    instruction: instruction.trim(),
    source: source.trim(),
    evaluators: [{ type: 'function', name: 'rules', action: 'text.rules', with: { output: OUTPUT, rules } }],
    maxTokens: 500,
    truth(output) {
      const said = typeof output === 'string' ? output : JSON.stringify(output);
      return [
        ...ruleProblems(said, rules).problems,
        ...truth.facts.filter((fact) => !new RegExp(fact, 'iu').test(said)).map((fact) => `lacks ${fact}`),
        ...truth.errors.filter((error) => new RegExp(error, 'iu').test(said)).map((error) => `says ${error}`),
        ...inventedNumbers(said, source, truth.numbers).map((number) => `${number} is not in the source`),
      ];
    },
    samples: { right, wrong },
  }));
}

function codeTasks({ kind, tasks }: z.infer<typeof code>): Task[] {
  return tasks.map(({ id: task, instruction, name, visible, hidden, right, wrong }) => ({
    id: task,
    kind,
    instruction: instruction.trim(),
    source: '',
    evaluators: [
      { type: 'function', name: 'tests', action: 'code.tests', with: { output: OUTPUT, name, tests: visible as Json } },
    ],
    maxTokens: 500,
    truth: (output) => codeProblems(String(output), name, [...visible, ...hidden]),
    samples: { right, wrong },
  }));
}
