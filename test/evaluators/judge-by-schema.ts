import { createActionRegistry } from '../../src/actions/registry';
import type { Judgement } from '../../src/loop/state/evaluation';
import type { Issue } from '../../src/loop/contract/evaluation';
import type { Json, JsonObject } from '../../src/lib/json/json';
import type { SpecProblem } from '../../src/lib/contract/spec-problem';
import { schemaEvaluator } from '../../src/evaluators/schema/schema';
import { createModels } from '../../src/lib/models';
import { judgeInput } from './scripted-judge';

const context = { models: createModels([]), actions: createActionRegistry([]), signal: new AbortController().signal };

/** Judges an output by a schema. */
export function judge(schema: JsonObject | boolean, output: Json, coerce?: boolean, name?: string): Promise<Judgement> {
  return schemaEvaluator.evaluate({ type: 'schema', name, schema, coerce }, judgeInput({ output }), context);
}

/** What is wrong with a schema. */
export function problemsOf(schema: JsonObject | boolean): SpecProblem[] | Promise<SpecProblem[]> {
  return schemaEvaluator.problems({ type: 'schema', schema }, context);
}

/** Path and message of each issue, in the order of the alphabet. */
export function told(issues: Issue[]): string[] {
  return issues.map(({ path, message }) => `${path} | ${message}`).toSorted(byText);
}

export function byText(first: string, second: string): number {
  return first < second ? -1 : 1;
}

/** The same, with a folder of schema files. */
export function judgeWithFiles(root: string, schema: JsonObject, output: Json, address?: string): Promise<Judgement> {
  return schemaEvaluator.evaluate({ type: 'schema', schema }, judgeInput({ output }), {
    ...context,
    schemaFolder: { root, address },
  });
}

export function problemsWithFiles(
  root: string,
  schema: JsonObject,
  address?: string,
): SpecProblem[] | Promise<SpecProblem[]> {
  return schemaEvaluator.problems({ type: 'schema', schema }, { ...context, schemaFolder: { root, address } });
}
