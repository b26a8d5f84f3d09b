import type { Issue, Judgement } from '../../domain/state/evaluation';
import type { Json } from '../../domain/base/json/json';
import { TimeLimitExceeded, withTimeLimit } from '../../threads/time-limit';
import { decided, inconclusiveJudgement } from '../judgement';
import { checkTimeLimit } from '../time-limits';
import { type CompiledSchema, compiledSchema, knownSchema } from './schema-compile';
import { issuesOfErrors } from './schema-issues';
import { readAgainst, type ReadResult } from './schema-reading';
import { bundledSchema } from './references/schema-references';
import { schemaSizeProblem } from './schema-size';
import type { JsonSchema } from './schema-walk';

/** What is judged by what. */
export interface SchemaQuestion {
  schema: JsonSchema;
  /** The folder whose files the schema may refer to. */
  schemaRoot?: string;
  output: Json;
  coerce: boolean;
  /** Of the evaluator, for its issues. */
  name: string;
}

/** Judges an output by a JSON Schema. Takes as long as the schema's author likes, up to some limits. */
export function judgeBySchema({ schema, schemaRoot, output, coerce, name }: SchemaQuestion): Judgement {
  const compiled = readySchema(schema, schemaRoot);
  if (typeof compiled === 'string') return inconclusiveJudgement(compiled);
  try {
    const size = typeof output === 'string' ? output.length : JSON.stringify(output).length;
    const result = withTimeLimit(checkTimeLimit(size), () => readAgainst(compiled, output, coerce));
    return judgementOf(result, output, name);
  } catch (error) {
    if (error instanceof TimeLimitExceeded)
      return inconclusiveJudgement(`validation ${error.message}: is a pattern too slow?`);
    if ((error as Error).name === 'RangeError') return tooDeepToValidate(name);
    throw error;
  }
}

/** What is said of an output that no validator could go through. */
export function tooDeepToValidate(name: string): Judgement {
  return critical(name, {
    message: 'the output: is nested too deeply to be validated',
    suggestion: 'Nest it less deeply.',
    type: 'depth',
  });
}

/** The schema, compiled; or why it cannot be. Both was checked before the run, but a file may have changed or gone since. */
function readySchema(schema: JsonSchema, schemaRoot: string | undefined): CompiledSchema | string {
  const known = knownSchema(schema);
  if (known) return known;
  const { schema: whole, problems } = bundledSchema(schema, schemaRoot);
  if (problems[0]) return `The schema ${problems[0].message}.`;
  const tooLarge = knownSchema(whole) ? undefined : schemaSizeProblem(whole);
  if (tooLarge !== undefined) return `The schema with its files ${tooLarge}.`;
  try {
    return compiledSchema(whole);
  } catch (error) {
    return `The schema cannot be compiled: ${(error as Error).message}`;
  }
}

function judgementOf({ valid, best, notJson, checksPassed }: ReadResult, output: Json, name: string): Judgement {
  if (valid) return decided(true, { checksPassed: 1, reading: valid.reading });
  if (!notJson) return decided(false, { checksPassed, issues: issuesOfErrors(best.errors, name) });
  const why = parseError(String(output));
  return critical(name, {
    message: `the output: must be JSON, ${why ? `but does not parse: ${why}` : 'but the text holds none'}`,
    suggestion: 'Return one complete JSON value and nothing else: no explanation, no text before or after it.',
    type: 'json',
  });
}

/** What is said of an output that could not be checked, so that none of its checks has passed. */
function critical(evaluator: string, issue: Pick<Issue, 'message' | 'suggestion' | 'type'>): Judgement {
  return decided(false, { checksPassed: 0, issues: [{ ...issue, path: '', severity: 'critical', evaluator }] });
}

/** What is wrong with the thing that looks most like JSON. */
function parseError(text: string): string | undefined {
  const start = text.search(/[{[]\s{0,50}["{[\]}\d-]/);
  if (start === -1) return undefined;
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1;
  try {
    JSON.parse(text.slice(start, end > start ? end : undefined));
    return undefined;
  } catch (error) {
    return (error as Error).message.slice(0, 200);
  }
}
