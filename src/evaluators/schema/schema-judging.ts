import type { Judgement } from '../../loop/state/evaluation';
import type { Issue } from '../../loop/contract/evaluation';
import type { Json } from '../../lib/json/json';
import { type LargeInteger, largeInteger } from '../../lib/json/large-integers';
import { TimeLimitExceeded, withTimeLimit } from '../../lib/threads/time-limit';
import { makeJudgement, inconclusiveJudgement } from '../judgement';
import { checkTimeLimit } from '../time-limits';
import { type CompiledSchema, compiledSchema, knownSchema } from './schema-compile';
import { issuesOfErrors } from './schema-issues';
import { readAgainst, readExactly, type ReadResult } from './schema-reading';
import { bundledSchema } from './references/schema-references';
import { endlessReferences } from './references/schema-endless';
import type { PlacedSchema } from './schema-problems';
import { schemaSizeProblem } from './schema-size';

export interface SchemaQuestion extends PlacedSchema {
  output: Json;
  coerce: boolean;
  /** The output is checked as it is: no JSON is looked for in a text. */
  exact?: true;
  name: string;
}

/** Judges an output by a JSON Schema. Takes as long as the schema's author likes, up to some limits. */
export function judgeBySchema({ schema, schemaFolder, output, coerce, exact, name }: SchemaQuestion): Judgement {
  const compiled = readySchema({ schema, schemaFolder });
  if (typeof compiled === 'string') return inconclusiveJudgement(compiled);
  try {
    const size = typeof output === 'string' ? output.length : JSON.stringify(output).length;
    const read = exact ? readExactly : readAgainst;
    const result = withTimeLimit(checkTimeLimit(size), () => read(compiled, output, coerce));
    return judgementOf(result, output, name);
  } catch (error) {
    if (error instanceof TimeLimitExceeded)
      return inconclusiveJudgement(`validation ${error.message}: is a pattern too slow?`);
    if ((error as Error).name !== 'RangeError') throw error;
    const depth = deepestBracket(output);
    if (depth > DEEP) return tooDeepToValidate(name);
    return inconclusiveJudgement(`the schema is too large to validate an output of ${depth} levels`);
  }
}

/** The depth from which an output that cannot be validated is to blame itself, and not its schema. */
const DEEP = 500;

function deepestBracket(output: Json): number {
  let text: string;
  try {
    text = typeof output === 'string' ? output : JSON.stringify(output);
  } catch {
    // Too deep for that, too.
    return Infinity;
  }
  let [depth, deepest] = [0, 0];
  for (const [bracket] of text.matchAll(/[[{\]}]/g)) {
    depth = Math.max(0, depth + (bracket === '[' || bracket === '{' ? 1 : -1));
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

export function tooDeepToValidate(name: string): Judgement {
  return critical(name, {
    message: 'the output: is nested too deeply to be validated',
    suggestion: 'Nest it less deeply.',
    type: 'depth',
  });
}

function readySchema({ schema, schemaFolder }: PlacedSchema): CompiledSchema | string {
  const known = knownSchema(schema);
  if (known) return known;
  const { schema: whole, problems } = bundledSchema(schema, schemaFolder);
  if (problems[0]) return `The schema ${problems[0].message}.`;
  if (!knownSchema(whole)) {
    const tooLarge = schemaSizeProblem(whole);
    if (tooLarge !== undefined) return `The schema with its files ${tooLarge}.`;
    const [endless] = endlessReferences(whole);
    if (endless) return `The schema ${endless.message}.`;
  }
  try {
    return compiledSchema(whole);
  } catch (error) {
    return `The schema cannot be compiled: ${(error as Error).message}`;
  }
}

const LENIENT = 'the text is no JSON, because of its commas, comments, quotes or words, and was read as what it means';
const TORN = 'the text holds several values that fit the schema and differ: the last one is taken';

function judgementOf(
  { valid, best, notJson, checksPassed, isTorn }: ReadResult,
  output: Json,
  name: string,
): Judgement {
  const { text } = valid?.reading ?? best.reading ?? {};
  const large = text && largeInteger(String(output).slice(text.start, text.end));
  // Read, it would be another number; the text has it still.
  if (large) {
    const issues = [issueOf(large, name), ...issuesOfErrors(best.errors, name)];
    return makeJudgement(false, { checksPassed, issues });
  }
  if (valid) {
    const warnings = [...(isTorn ? [TORN] : []), ...(valid.reading?.text?.lenient ? [LENIENT] : [])];
    const told = warnings.length > 0 ? { warnings } : {};
    return makeJudgement(true, { checksPassed: 1, reading: valid.reading, ...told });
  }
  if (!notJson) return makeJudgement(false, { checksPassed, issues: issuesOfErrors(best.errors, name) });
  const why = parseError(String(output));
  return critical(name, {
    message: `the output: must be JSON, ${why ? `but does not parse: ${why}` : 'but the text holds none'}`,
    suggestion: 'Return one complete JSON value and nothing else: no explanation, no text before or after it.',
    type: 'json',
  });
}

function issueOf({ source, path }: LargeInteger, evaluator: string): Issue {
  return {
    message: `the output at ${path}: ${source} is a whole number that JSON readers do not keep exactly`,
    path,
    suggestion: 'Return it as a text: put it in quotes.',
    severity: 'critical',
    type: 'large_integer',
    evaluator,
  };
}

function critical(evaluator: string, issue: Pick<Issue, 'message' | 'suggestion' | 'type'>): Judgement {
  return makeJudgement(false, { checksPassed: 0, issues: [{ ...issue, path: '', severity: 'critical', evaluator }] });
}

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
