import type { CorrectionError, CorrectionRequest, EvaluationRequest } from '../../loop/contract/requests';
import type { Issue, AttemptSummary } from '../../loop/contract/evaluation';
import { omitUndefined } from '../../lib/base/defined';
import { isJsonObject, type Json, type JsonObject, pick } from '../../lib/json/json';
import { largeInteger } from '../../lib/json/large-integers';
import { jsonInText } from '../../loop/evaluation/output-reading';
import { modelOfState } from '../../loop/spec/model-of-calls';
import { isModelCall } from '../../loop/spec/steps';
import type { Corrector } from '../../loop/contract/steps';
import type { ReflectionSpec } from '../../loop/contract/spec';
import type { StateNeeds } from '../../loop/step-state/variables';

export function dataOf({ data, state }: Pick<EvaluationRequest, 'data' | 'state'>): Json | undefined {
  return data === undefined ? ownValue(state, 'reflection_output') : data;
}

export function givenErrors({ errors, state }: { errors?: unknown; state?: JsonObject }): unknown {
  return errors === undefined ? ownValue(state, 'reflection_errors') : errors;
}

function ownValue(state: JsonObject | undefined, key: string): Json | undefined {
  return state && Object.hasOwn(state, key) ? state[key] : undefined;
}

export function correctionIssues(request: CorrectionRequest): Issue[] {
  const errors = (givenErrors(request) ?? []) as (string | CorrectionError)[];
  return errors.map((error) => {
    if (typeof error === 'string') return { message: error, evaluator: 'given' };
    const {
      message,
      evaluator = 'given',
      path,
      type,
      suggestion,
      criterion,
      severity,
      missingInformation,
      blocker,
    } = error;
    return omitUndefined({
      message,
      path,
      type,
      suggestion,
      criterion,
      severity,
      missingInformation,
      blocker,
      evaluator,
    });
  });
}

/** Whether a corrector has no prompt of its own, so that the built-in revision prompt is sent. */
export function usesBuiltInRevision(corrector: Corrector): boolean {
  return isModelCall(corrector) && corrector.prompt === undefined && corrector.messages === undefined;
}

export function correctionState(
  state: JsonObject,
  data: Json,
  errors: AttemptSummary['errors'],
  needs: StateNeeds,
): JsonObject {
  const variables: JsonObject = {
    reflection_iteration: 1,
    ...state,
    reflection_output: data,
    // Wire types are JSON by construction; TypeScript cannot see that an interface has no other members.
    reflection_errors: errors as unknown as Json,
  };
  if (needs.keys === 'all') return variables;
  const ofLoops = Object.keys(variables).filter((key) => key.startsWith('reflection_'));
  return pick(variables, [...needs.keys, ...(needs.variables === 'all' ? ofLoops : needs.variables)]);
}

/** A correction in the form of its data: if that was structured, the first JSON of that kind in the text of the model. */
export function sameFormAs(data: Json, output: Json): Json {
  if (typeof output !== 'string' || typeof data !== 'object' || data === null) return output;
  for (const { value, start, end } of jsonInText(output)) {
    const isAlike = isJsonObject(value) === isJsonObject(data) && typeof value === 'object' && value !== null;
    if (isAlike) return largeInteger(output.slice(start, end)) ? output : value;
  }
  return output;
}

function common({ state, material, task, timeouts }: Partial<EvaluationRequest>): Partial<ReflectionSpec> {
  return omitUndefined({ material, state, task, timeouts, model: modelOfState(state)?.name });
}

/** Converts an evaluation to the spec of a loop that never generates: the code that evaluates in a loop works on it unchanged. */
export function evaluationSpec(request: EvaluationRequest): ReflectionSpec {
  return { ...common(request), generator: { action: 'llm.call' }, evaluator: request.evaluator };
}

/** Converts a correction to the spec of a loop that never evaluates. */
export function correctionSpec(request: CorrectionRequest): ReflectionSpec {
  return { ...common(request), generator: { action: 'llm.call' }, evaluator: [], corrector: request.corrector };
}
