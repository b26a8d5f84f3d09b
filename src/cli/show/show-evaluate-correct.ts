import type { ReflectionClient } from '../../client';
import type { ReflectionEvaluation } from '../../domain/state/evaluation';
import { textOf } from '../../domain/base/json';
import type { CorrectionResult } from '../../domain/step-state/standalone';
import { CliError } from '../support/cli-error';
import type { RunDescription } from './describe-run';
import { endOf, type RunEnd } from './inspect-run';
import { correctionText, evaluationText } from '../views/evaluate-correct-view';
import { seconds } from '../views/printable';
import { failureJson, failureLine, runHead } from './run-head';

/** Runs that do one thing once, and what people call them. */
const KINDS: Record<string, string> = { reflectionEvaluate: 'one evaluation', reflectionCorrect: 'one correction' };

/** True for the runs that `reflect evaluate` and `reflect correct` start. */
export function isOnce({ type }: RunDescription): boolean {
  return Object.hasOwn(KINDS, type);
}

/** What `reflect show` says of one evaluation or one correction. Its output is the evaluation, or what was corrected. */
export async function onceShown(
  client: ReflectionClient,
  description: RunDescription,
  options: { json?: boolean; output?: boolean },
): Promise<string> {
  const { workflowId, runId, type, status, startedAt, running } = description;
  const ended: RunEnd<unknown> = running ? {} : await endOf<unknown>(() => client.result(workflowId));
  if (options.output) {
    if (ended.result === undefined) {
      throw new CliError(
        'NoOutput',
        `The run has no output: it is ${status.toLowerCase()}.`,
        'Look at it without --output.',
      );
    }
    return textOf(
      type === 'reflectionCorrect'
        ? (ended.result as CorrectionResult).output
        : asJson(ended.result as ReflectionEvaluation),
    );
  }
  if (options.json) {
    return JSON.stringify(
      { workflowId, runId, type, status, result: ended.result, ...failureJson(ended.failure) },
      null,
      2,
    );
  }
  const head = runHead(client, description, { kind: KINDS[type]! });
  if (ended.failure) return [...head, failureLine(ended.failure)].join('\n');
  if (ended.result === undefined)
    return [...head, `under way for ${seconds(Date.now() - startedAt.getTime())}`].join('\n');
  const text =
    type === 'reflectionCorrect'
      ? correctionText(ended.result as CorrectionResult)
      : evaluationText(ended.result as ReflectionEvaluation);
  return [...head, text].join('\n');
}

/** Wire types are JSON by construction; TypeScript cannot see that an interface has no other members. */
function asJson(result: ReflectionEvaluation | CorrectionResult) {
  return result as unknown as CorrectionResult['output'];
}
