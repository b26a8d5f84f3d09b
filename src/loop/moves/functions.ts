import type { CallRecord } from '../contract/calls';
import type { Verdict } from '../state/evaluation';
import type { Issue, ReflectionEvaluation } from '../contract/evaluation';
import type { EvaluatorPlan, Preparation } from '../state/loop-settings';
import type { Evaluator } from '../contract/evaluators';
import type { ReflectionSpecInput } from '../contract/short-spec';
import type { Step } from '../contract/steps';
import { asJson } from '../evidence/as-json';
import { readReportedCalls, type ReportedCall } from '../evidence/reported-calls';
import { conversationWarning } from '../state/conversations';
import { boundedVerdict } from '../evaluation/bounded';
import { isJson, isJsonObject, type Json, type JsonObject } from '../../lib/json/json';
import { omitUndefined } from '../../lib/base/defined';
import { MOST_TOKENS } from '../../lib/base/maxima';
import { MOST_USD } from '../base/maxima';
import type { TokenUsage } from '../../lib/contract/values';
import type { StepOutcome } from '../step-state/step-call';

/** The input that every function of a loop gets. */
interface FunctionRequest {
  /** The iteration that it works for, from 1. */
  iteration: number;
  /** The task of the spec, as it was written: templates in it are not rendered. */
  task?: string;
  /** The spec's state and the loop's `reflection_*` variables, such as `reflection_errors` and `reflection_guidance`. */
  state: JsonObject;
}

/** The facts about how a version was made. */
interface OfVersion {
  /** The conversation of the agent that made the version, as it returned it. */
  conversation?: unknown;
  /** The calls that were made for the output and for the versions that it was made from, the oldest first; at most 16 KiB. */
  evidence?: CallRecord[];
}

/** The input of a `generate` function. */
export interface GenerateRequest extends FunctionRequest {
  /** The conversation of the agent that made the version before, as it returned it; left out for a draft. */
  conversation?: unknown;
}

/** The input of a `revise` function. */
export interface ReviseRequest extends FunctionRequest, OfVersion {
  /** The version that is to be revised. */
  output: Json;
  evaluation: ReflectionEvaluation;
}

/** The input of an `evaluate` function. */
export interface EvaluateRequest extends FunctionRequest, Omit<OfVersion, 'conversation'> {
  /** The output to judge. */
  output: Json;
  /** The score from which an output passes, 0 to 1. */
  qualityThreshold: number;
}

/**
 * The usage of a function. It counts towards the budgets and in the result. Default: 0 tokens, `totalTokens` the sum of the
 * others, one model call, and an unknown price if there are tokens.
 */
export type FunctionUsage = Partial<TokenUsage>;

/** The result of a `generate` or `revise` function. */
export interface FunctionOutput {
  output: Json;
  /** Default: nothing was used. */
  tokenUsage?: FunctionUsage;
  warnings?: string[];
  /** The calls that the agent made. Judges see them, as reported by it. */
  calls?: ReportedCall[];
  /**
   * The conversation that the agent is to go on from, such as its messages: the request for the next version has it. It must be JSON, and at most 96 KiB of
   * it; a longer one is not kept.
   */
  conversation?: unknown;
}

/** The result of an `evaluate` function: a verdict, a score or both. Without `pass`, the score decides. */
export interface FunctionEvaluation {
  pass?: boolean;
  /** 0 to 1. */
  score?: number;
  issues?: (string | Pick<Issue, 'message' | 'path' | 'severity' | 'suggestion'>)[];
  suggestions?: string[];
  reason?: string;
  /** 0 to 1. Default 1. */
  confidence?: number;
  /** Default: nothing was used. */
  tokenUsage?: FunctionUsage;
}

/** Functions that do parts of a loop. */
export interface LoopFunctions {
  generate?(request: GenerateRequest): Promise<FunctionOutput> | FunctionOutput;
  evaluate?(request: EvaluateRequest): Promise<FunctionEvaluation> | FunctionEvaluation;
  revise?(request: ReviseRequest): Promise<FunctionOutput> | FunctionOutput;
}

export type FunctionName = keyof LoopFunctions;
const NAMES: readonly FunctionName[] = ['generate', 'evaluate', 'revise'];

/** A spec whose generator, evaluator and corrector may be functions. */
export type SpecWithFunctions = Omit<ReflectionSpecInput, 'evaluator'> &
  Partial<Pick<ReflectionSpecInput, 'evaluator'>>;

/** The names of actions that stand for functions in what is checked and shown. No worker has them. */
const ACTION = { generate: 'reflect.generate', evaluate: 'reflect.evaluate', revise: 'reflect.revise' } as const;

export function functionActions(functions: LoopFunctions | undefined): string[] {
  return NAMES.flatMap((name) => (functions?.[name] ? [ACTION[name]] : []));
}

export function functionOfStep(step: Step): 'generate' | 'revise' | undefined {
  if (!('action' in step)) return undefined;
  return step.action === ACTION.generate ? 'generate' : step.action === ACTION.revise ? 'revise' : undefined;
}

export function isEvaluateFunction(evaluator: Evaluator): boolean {
  return 'action' in evaluator && evaluator.action === ACTION.evaluate;
}

export function specWithFunctions(spec: SpecWithFunctions, functions: LoopFunctions | undefined): ReflectionSpecInput {
  // A value that is not a spec is refused where specs are checked.
  if (functionActions(functions).length === 0 || !isJsonObject(spec as unknown as Json)) {
    return spec as ReflectionSpecInput;
  }
  const { generate, evaluate, revise } = functions ?? {};
  const { evaluator = [] } = spec;
  const own: Evaluator = { type: 'function', name: 'evaluate', action: ACTION.evaluate };
  const others = Array.isArray(evaluator) ? evaluator : [evaluator];
  return {
    ...(spec as ReflectionSpecInput),
    ...(generate && { generator: { action: ACTION.generate } }),
    ...(evaluate && { evaluator: [...others, own] }),
    ...(revise && { corrector: { action: ACTION.revise } }),
  };
}

export function plannedFunctions(preparation: Preparation, functions: readonly string[]): Preparation {
  if (!functions.includes(ACTION.evaluate)) return preparation;
  const { evaluators } = preparation;
  const { asksModel: _none, ...last } = evaluators.at(-1)!;
  return { ...preparation, evaluators: [...evaluators.slice(0, -1), last] };
}

const AMOUNTS = ['promptTokens', 'completionTokens', 'totalTokens', 'modelCalls', 'usd'] as const;

/** Reads the usage that a function reports; a text says what is wrong with it. */
export function usageOf(given: unknown): TokenUsage | string | undefined {
  if (given === undefined || given === null) return undefined;
  if (!isJsonObject(given as Json)) return '`tokenUsage` must be an object';
  const said = given as FunctionUsage;
  const wrong = AMOUNTS.find((key) => {
    const amount = said[key] ?? 0;
    return typeof amount !== 'number' || !Number.isFinite(amount) || amount < 0;
  });
  if (wrong) return `\`tokenUsage.${wrong}\` must be a number from 0`;
  const most = (amount: number): number => Math.min(amount, MOST_TOKENS);
  const [promptTokens, completionTokens] = [most(said.promptTokens ?? 0), most(said.completionTokens ?? 0)];
  const [modelCalls, totalTokens] = [
    most(said.modelCalls ?? 1),
    most(said.totalTokens ?? promptTokens + completionTokens),
  ];
  const { usd: price = totalTokens === 0 ? 0 : null } = said;
  // Sums of what cannot be must stay numbers.
  const usd = price === null ? null : Math.min(price, MOST_USD);
  return { promptTokens, completionTokens, totalTokens, modelCalls, usd };
}

const areTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

export function outcomeOfFunction(answer: unknown): StepOutcome | string {
  if (!isJsonObject(answer as Json)) return 'must return an object with `output`';
  const { output, tokenUsage, warnings = [], calls, conversation: said } = answer as unknown as FunctionOutput;
  if (output === undefined || !isJson(output)) return 'must return an `output` that is JSON';
  if (!areTexts(warnings)) return 'must return `warnings` that are texts';
  const usage = usageOf(tokenUsage);
  if (typeof usage === 'string') return usage;
  const reported = readReportedCalls(calls);
  if (typeof reported === 'string') return reported;
  const conversation = asJson(said ?? undefined);
  if (conversation === undefined && (said ?? undefined) !== undefined)
    return 'must return a `conversation` that is JSON';
  const long = conversationWarning(conversation);
  return omitUndefined<StepOutcome>({
    output,
    warnings: long === undefined ? warnings : [...warnings, long],
    tokenUsage: usage,
    reported: reported.calls && reported,
    conversation: long === undefined ? conversation : undefined,
  });
}

const isShare = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value <= 1;

const SEVERITIES: readonly unknown[] = ['critical', 'major', 'minor', undefined];

function issueOf(said: unknown, evaluator: string): Issue | undefined {
  if (typeof said === 'string') return { message: said, evaluator };
  if (!isJsonObject(said as Json)) return undefined;
  const { message, path, severity, suggestion } = said as Issue;
  const isText = [message, path ?? '', suggestion ?? ''].every((each) => typeof each === 'string');
  if (!isText || !SEVERITIES.includes(severity)) return undefined;
  return omitUndefined({ message, path, severity, suggestion, evaluator });
}

/** @param threshold from which a score passes */
export function verdictOfFunction(
  answer: unknown,
  { name, type }: Pick<EvaluatorPlan, 'name' | 'type'>,
  threshold: number,
): Verdict | string {
  if (!isJsonObject(answer as Json)) return 'must return an object with `pass` or `score`';
  const said = answer as unknown as FunctionEvaluation;
  const { pass, score, issues = [], suggestions = [], reason, confidence = 1 } = said;
  if (pass === undefined && score === undefined) return 'must return an object with `pass` or `score`';
  if (pass !== undefined && typeof pass !== 'boolean') return 'must return a `pass` that is true or false';
  if (score !== undefined && !isShare(score)) return 'must return a `score` from 0 to 1';
  if (!isShare(confidence)) return 'must return a `confidence` from 0 to 1';
  if (reason !== undefined && typeof reason !== 'string') return 'must return a `reason` that is a text';
  if (!areTexts(suggestions)) return 'must return `suggestions` that are texts';
  const found = Array.isArray(issues) ? issues.map((issue) => issueOf(issue, name)) : [undefined];
  if (found.includes(undefined)) return 'must return `issues` that are texts, or objects with a `message`';
  const usage = usageOf(said.tokenUsage);
  if (typeof usage === 'string') return usage;
  const isPass = pass ?? (score ?? 0) >= threshold;
  const why = isPass || found.length > 0 ? [] : [{ message: reason ?? 'The output was rejected.', evaluator: name }];
  return boundedVerdict(
    omitUndefined({
      name,
      type,
      outcome: isPass ? ('pass' as const) : ('fail' as const),
      score: score ?? (isPass ? 1 : 0),
      issues: [...(found as Issue[]), ...why],
      suggestions,
      confidence,
      reason,
      ms: 0,
      tokenUsage: usage,
    }),
  );
}
