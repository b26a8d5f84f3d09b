import type { Issue, Judgement } from '../../domain/state/evaluation';
import type { Json } from '../../domain/base/json';
import { TimeLimitExceeded, withTimeLimit } from '../../threads/time-limit';
import { type CompiledSchema, compiledSchema, knownSchema } from './schema-compile';
import { issuesOfErrors } from './schema-issues';
import type { ReadResult } from './schema-reading';
import { readAgainst } from './schema-reading';
import { bundledSchema } from './schema-references';
import { schemaSizeProblem } from './schema-size';
import type { JsonSchema } from './schema-walk';
import { checkTimeLimit } from '../time-limits';

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
  if (typeof compiled === 'string') return inconclusive(compiled);
  try {
    const size = typeof output === 'string' ? output.length : JSON.stringify(output).length;
    return judgementOf(
      withTimeLimit(checkTimeLimit(size), () => readAgainst(compiled, output, coerce)),
      output,
      name,
    );
  } catch (error) {
    if (error instanceof TimeLimitExceeded) return inconclusive(`validation ${error.message}: is a pattern too slow?`);
    if ((error as Error).name === 'RangeError') return tooDeepToValidate(name);
    throw error;
  }
}

/** What is said of an output that no validator could go through. */
export function tooDeepToValidate(name: string): Judgement {
  return failed([tooDeep(name)], 0);
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

function judgementOf(result: ReadResult, output: Json, name: string): Judgement {
  if (result.valid) {
    const { reading } = result.valid;
    return {
      outcome: 'pass',
      score: 1,
      checksPassed: 1,
      issues: [],
      suggestions: [],
      confidence: 1,
      ...(reading && { reading }),
    };
  }
  const issues = result.notJson ? [notJson(String(output), name)] : issuesOfErrors(result.best.errors, name);
  return failed(issues, result.checksPassed);
}

function failed(issues: Issue[], checksPassed: number): Judgement {
  return { outcome: 'fail', score: 0, checksPassed, issues, suggestions: [], confidence: 1 };
}

function inconclusive(reason: string): Judgement {
  return { outcome: 'inconclusive', score: null, issues: [], suggestions: [], confidence: 0, reason };
}

function notJson(text: string, evaluator: string): Issue {
  const why = parseError(text);
  return {
    message: `the output: must be JSON, ${why ? `but does not parse: ${why}` : 'but the text holds none'}`,
    path: '',
    severity: 'critical',
    suggestion: 'Return one complete JSON value and nothing else: no explanation, no text before or after it.',
    type: 'json',
    evaluator,
  };
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

function tooDeep(evaluator: string): Issue {
  return {
    message: 'the output: is nested too deeply to be validated',
    path: '',
    severity: 'critical',
    suggestion: 'Nest it less deeply.',
    type: 'depth',
    evaluator,
  };
}
