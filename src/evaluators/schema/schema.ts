import { isJsonObject } from '../../lib/json/json';
import type { SpecProblem } from '../../lib/contract/spec-problem';
import type { SchemaEvaluator } from '../../loop/contract/evaluators';
import type { Judgement } from '../../loop/state/evaluation';
import { offload } from '../../lib/threads/offload';
import { isLighterThan } from '../../lib/threads/weight';
import { validatorOf } from './schema-compile';
import { dialectOf } from './schema-dialect';
import { judgeBySchema, type SchemaQuestion, tooDeepToValidate } from './schema-judging';
import { type PlacedSchema, schemaProblems } from './schema-problems';
import { refersToFiles } from './references/schema-references';
import { MAX_DEPTH } from './schema-size';
import { nestsDeeperThan } from './schema-walk';
import type { EvaluatorKind } from '../types';

/** Characters and parts of what the event loop compiles and validates itself: some milliseconds at most, as a rule. */
const SMALL_SCHEMA = 4_000;
const SMALL_OUTPUT = 32_000;

const isSmallSchema = ({ schema, schemaFolder }: PlacedSchema): boolean =>
  isLighterThan(SMALL_SCHEMA, schema) && (schemaFolder === undefined || !refersToFiles(schema));

/** A schema that does not name its dialect is not looked at: finding it out would take as long as judging. */
const warm = ({ schema }: PlacedSchema): void => {
  validatorOf((isJsonObject(schema) && schema.$schema !== undefined && dialectOf(schema)) || '2020-12');
};
const key = ({ schema }: PlacedSchema): string => JSON.stringify(schema);

const judge = offload({
  file: require.resolve('./schema-judging'),
  name: judgeBySchema.name,
  run: judgeBySchema,
  isSmall: (question: SchemaQuestion) => isSmallSchema(question) && isLighterThan(SMALL_OUTPUT, question.output),
  warm,
  key,
});

const file = require.resolve('./schema-problems');
const problemsOf = offload({
  file,
  name: schemaProblems.name,
  run: schemaProblems,
  isSmall: isSmallSchema,
  warm,
  key,
});

export async function problemsOfSchema(question: PlacedSchema): Promise<SpecProblem[]> {
  // One that nests too deeply could not be written as JSON for a thread.
  return nestsDeeperThan(question.schema, MAX_DEPTH) ? schemaProblems(question) : problemsOf(question);
}

export async function judgeOutput(question: SchemaQuestion): Promise<Judgement> {
  try {
    return await judge(question);
  } catch (error) {
    // Too deep to be written as JSON for a thread.
    if ((error as Error).name === 'RangeError') return tooDeepToValidate(question.name);
    throw error;
  }
}

/** Judges an output by a JSON Schema: 1 when it is valid, 0 when it is not, `checksPassed` in between. */
export const schemaEvaluator: EvaluatorKind<SchemaEvaluator> = {
  type: 'schema',

  async problems({ schema }, { schemaFolder }) {
    const problems = await problemsOfSchema({ schema, schemaFolder });
    return problems.map(({ path, message }) => ({ path: `/schema${path}`, message }));
  },

  async evaluate({ schema, coerce = true, name = 'schema' }, { output }, { schemaFolder, signal }) {
    signal.throwIfAborted();
    return judgeOutput({ schema, schemaFolder, output, coerce, name });
  },
};
