import type { ReflectionEvaluation, UnreadReply } from '../../loop/contract/evaluation';
import { asKnown, type CheckedBefore } from '../../loop/spec/checked-before';
import type { Preparation } from '../../loop/state/loop-settings';
import { initialState, type LoopState } from '../../loop/state/loop-state';
import { resolveSpec } from '../../loop/state/resolved-spec';
import { isModelCall } from '../../loop/spec/steps';
import type { StepOutcome } from '../../loop/step-state/step-call';
import type { LoopRun } from '../loop/loop-run';
import { inputLimit } from '../../lib/limits/payload-limit';
import { errorsOf } from '../../loop/versions/result';
import {
  correctionIssues,
  correctionSpec,
  correctionState,
  dataOf,
  evaluationSpec,
  sameFormAs,
  usesBuiltInRevision,
} from '../../kinds/standalone/state';
import type { CorrectionRequest, EvaluationRequest } from '../../loop/contract/requests';
import { needsOfStep } from '../../loop/step-state/project';
import { NO_USAGE } from '../../lib/base/tokens';
import type { TokenUsage } from '../../lib/contract/values';
import { recordDraft } from '../../loop/moves/transitions';
import { noteFindings } from '../../loop/state/unfinished-iteration';
import { unreadReplies } from '../../loop/evaluation/bounded';
import { callStep } from '../functions/call-step';
import { attemptTime, checkingActivities } from '../shared/activity-calls';
import { now } from '../shared/clock';
import { evaluatePending } from '../loop/evaluation';
import { labelledSummary } from '../loop/evaluation-input';
import { permanentFailure, awaitPreparation, stepFailureOf } from '../shared/step-failure';
import { renderCount } from '../../lib/text/counted';

interface EvaluatedOnce {
  evaluation: ReflectionEvaluation;
  tokenUsage: TokenUsage;
  warnings: string[];
}

/** Checks what is asked, before anything is paid for. Throws ApplicationFailure what is wrong with it, as the caller sees it. */
export function prepareStandalone(
  kind: 'prepareEvaluation' | 'prepareCorrection',
  request: unknown,
  before?: CheckedBefore,
): Promise<Preparation> {
  return awaitPreparation(checkingActivities('prepare', before)[kind]({ request, ...asKnown(before?.known) }));
}

/** Evaluates data as a loop evaluates a version. It has no handlers, so that workflows of every kind can use it. */
export async function evaluateOnce(
  request: EvaluationRequest,
  preparation: Preparation,
  label = '',
): Promise<EvaluatedOnce> {
  const state: LoopState = initialState(now());
  noteFindings(state, preparation);
  recordDraft(state, { output: dataOf(request) ?? null, warnings: [] }, 'draft');
  const unread: UnreadReply[] = [];
  const run: LoopRun = {
    spec: resolveSpec(evaluationSpec(request), preparation),
    state,
    phase: 'evaluating',
    label,
    onChange: () => undefined,
    onUnread: (reply) => unread.push(reply),
  };
  await evaluatePending(run);
  const { evaluation, tokenUsage, warnings } = state.versions[0]!;
  return { evaluation: { ...evaluation, ...unreadReplies(unread) }, tokenUsage, warnings };
}

/**
 * Corrects data once; one activity. The built-in revision makes no call where there are no errors: the data is right. It has no
 * handlers, so that workflows of every kind can use it. Throws ApplicationFailure with the type of what went wrong, when the
 * corrector fails permanently.
 */
export async function correctOnce(
  request: CorrectionRequest,
  preparation: Preparation,
  label = '',
): Promise<Required<Pick<StepOutcome, 'output' | 'tokenUsage' | 'warnings'>>> {
  const { corrector, task } = request;
  const data = dataOf(request) ?? null;
  const issues = correctionIssues(request);
  const builtIn = usesBuiltInRevision(corrector);
  if (builtIn && issues.length === 0) return { output: data, tokenUsage: NO_USAGE, warnings: [] };
  const { settings, actionNeeds, model, material, state } = resolveSpec(correctionSpec(request), preparation);
  const needs = needsOfStep(corrector, task, actionNeeds);
  const isModel = isModelCall(corrector);
  const input = {
    step: corrector,
    iteration: 1,
    task,
    state: correctionState(state, data, errorsOf({ issues }), needs),
    material,
    model,
    timeoutMs: attemptTime(settings, isModel),
    revision: builtIn ? { output: data, issues, suggestions: [], attempts: [] } : undefined,
  };
  const summary = labelledSummary(label, `correct · ${renderCount(issues.length, 'error')}`);
  const how = { summary, limit: inputLimit(settings) };
  try {
    const {
      output,
      tokenUsage = NO_USAGE,
      warnings,
    } = await callStep('revise', settings, input, how, { output: data, issues });
    return {
      output: isModel ? sameFormAs(data, output) : output,
      tokenUsage,
      warnings: [...(preparation.warnings ?? []), ...warnings],
    };
  } catch (error) {
    const { type, message, details } = stepFailureOf(error, isModel);
    const place = { step: 'corrector', node: label === '' ? undefined : label };
    throw permanentFailure(type, `The corrector failed: ${message}`, [place, ...details]);
  }
}
