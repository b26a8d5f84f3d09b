import { isJson, isJsonObject, type Json, type JsonObject } from '../../lib/json/json';
import { jsonBytes } from '../../lib/json/json-bytes';
import type { EvaluatorPlan } from '../state/loop-settings';
import type { Verdict } from '../state/evaluation';
import type { CallRecord } from '../contract/calls';
import type { ReflectionEvaluation, Issue } from '../contract/evaluation';
import type { StepOutcome } from '../step-state/step-call';
import { outcomeOfFunction, usageOf, verdictOfFunction } from './functions';

/** The argument of a workflow that a step or an evaluator calls. */
export interface WorkflowRequest {
  /** The purpose of the call. A generator that also writes anew is called to `generate`, and finds in the state what was wrong. */
  part: 'generate' | 'revise' | 'evaluate';
  iteration: number;
  /** The task, rendered; left out if there is none. */
  task?: string;
  /** The state, and the loop's `reflection_*` variables. */
  state: JsonObject;
  /** `with` of the spec, rendered; left out if there is none. */
  with?: Json;
  /** The output to revise or to judge. */
  output?: Json;
  /** The evaluation of the output to revise; left out outside of loops. */
  evaluation?: ReflectionEvaluation;
  /** The issues of the output to revise. */
  issues?: Issue[];
  /** The calls that were made for the output and for the versions that it was made from, the oldest first; at most 16 KiB. */
  evidence?: CallRecord[];
  /** The conversation of the agent that made the version before, as it returned it; left out for a draft. */
  conversation?: Json;
  /** For an evaluation: the score from which an output passes, 0 to 1. */
  qualityThreshold?: number;
}

const OF_ANSWERS: readonly string[] = ['output', 'tokenUsage', 'warnings', 'calls', 'conversation'];

function saysMore(answer: Json): boolean {
  return isJsonObject(answer) && 'output' in answer && Object.keys(answer).every((key) => OF_ANSWERS.includes(key));
}

export function outcomeOfWorkflow(answer: unknown): StepOutcome | string {
  if (answer === undefined) return 'returned nothing; return null when there is no output';
  if (!isJson(answer)) return 'returned no JSON';
  return outcomeOfFunction(saysMore(answer) ? answer : { output: answer });
}

const PASS = ['pass', 'valid', 'satisfactory'] as const;

function asEvaluation(answer: unknown): unknown {
  if (typeof answer === 'boolean') return { pass: answer };
  if (typeof answer === 'number') return { score: answer };
  if (Array.isArray(answer)) {
    const [verdict, reason, ...others] = answer as unknown[];
    const said = Array.isArray(verdict) || others.length > 0 ? undefined : asEvaluation(verdict);
    return isJsonObject(said as Json) ? { ...(said as JsonObject), reason: reason ?? undefined } : undefined;
  }
  if (!isJsonObject(answer as Json)) return undefined;
  const said = answer as JsonObject;
  const named = PASS.find((key) => said[key] !== undefined && said[key] !== null);
  // Other languages write fields that are left out as null.
  const present = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null));
  return { ...present, pass: named && said[named], issues: present['issues'] ?? present['errors'] };
}

/** @param threshold from which a score passes */
export function verdictOfWorkflow(
  answer: unknown,
  plan: Pick<EvaluatorPlan, 'name' | 'type'>,
  threshold: number,
): Verdict | string {
  if (isJsonObject(answer as Json) && (answer as JsonObject)['outcome'] === 'inconclusive') {
    const { reason } = answer as JsonObject;
    return typeof reason === 'string' && reason !== '' ? `says: ${reason}` : 'could not judge';
  }
  const said = asEvaluation(answer);
  if (said === undefined) return 'must return a boolean, a score from 0 to 1, [boolean, text] or an evaluation';
  return verdictOfFunction(said, plan, threshold);
}

const DETAILS_BYTES = 64_000;

/** Details of a workflow's failure that this run may hand on. What it says that it used counts, if it can be counted. */
export function detailsOfFailure(details: readonly unknown[]): Json[] {
  const given = details as Json[];
  if (!isJson(given) || jsonBytes(given) > DETAILS_BYTES) return [];
  const [first, ...others] = given;
  if (!isJsonObject(first) || !('tokenUsage' in first)) return given;
  const { tokenUsage, ...rest } = first;
  const usage = usageOf(tokenUsage);
  return [typeof usage === 'object' ? { ...rest, tokenUsage: { ...usage } } : rest, ...others];
}
