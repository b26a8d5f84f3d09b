import type { SchemaEvaluator } from '../domain/spec';
import { offloaded } from '../threads/offload';
import { isLighterThan } from '../threads/weight';
import { dialectOf, validatorOf } from './schema-compile';
import { judgeBySchema, type SchemaQuestion, tooDeepToValidate } from './schema-judging';
import { schemaProblems } from './schema-problems';
import { refersToFiles } from './schema-references';
import { MAX_DEPTH } from './schema-size';
import { type JsonSchema, nestsDeeperThan } from './schema-walk';
import type { EvaluatorKind } from './types';

/** Characters and parts of what the event loop compiles and validates itself: some milliseconds at most, as a rule. */
const SMALL_SCHEMA = 4_000;
const SMALL_OUTPUT = 32_000;

/** Compiled without reading files. */
const isSmallSchema = (schema: JsonSchema): boolean => isLighterThan(SMALL_SCHEMA, schema) && !refersToFiles(schema);

const warm = ({ schema }: { schema: JsonSchema }): void => {
  validatorOf(dialectOf(schema) ?? '2020-12');
};
const key = ({ schema }: { schema: JsonSchema }): string => JSON.stringify(schema);

const judge = offloaded({
  file: require.resolve('./schema-judging'),
  name: judgeBySchema.name,
  run: judgeBySchema,
  warm,
  isSmall: ({ schema, output }: SchemaQuestion) => isSmallSchema(schema) && isLighterThan(SMALL_OUTPUT, output),
  key,
});

const problemsOf = offloaded({
  file: require.resolve('./schema-problems'),
  name: schemaProblems.name,
  run: schemaProblems,
  warm,
  isSmall: ({ schema }) => isSmallSchema(schema),
  key,
});

/** Judges an output by a JSON Schema: 1 when it is valid, 0 when it is not, `checksPassed` in between. */
export const schemaEvaluator: EvaluatorKind<SchemaEvaluator> = {
  type: 'schema',
  local: true,

  async problems({ schema }, { schemaRoot }) {
    // One that nests too deeply could not be written as JSON for a thread.
    const question = { schema, ...(schemaRoot !== undefined && { schemaRoot }) };
    const problems = nestsDeeperThan(schema, MAX_DEPTH) ? schemaProblems(question) : await problemsOf(question);
    return problems.map(({ path, message }) => ({ path: `/schema${path}`, message }));
  },

  async evaluate({ schema, coerce = true, name = 'schema' }, { output }, { schemaRoot, signal }) {
    signal.throwIfAborted();
    try {
      return await judge({ schema, output, coerce, name, ...(schemaRoot !== undefined && { schemaRoot }) });
    } catch (error) {
      // Too deep to be written as JSON for a thread.
      if ((error as Error).name === 'RangeError') return tooDeepToValidate(name);
      throw error;
    }
  },
};
