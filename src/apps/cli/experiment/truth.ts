import { isDeepStrictEqual } from 'node:util';
import type { ReflectionClient } from '../../../client';
import { RUN_KINDS } from '../../../kinds/list/client';
import type { Json, JsonObject } from '../../../lib/json/json';
import type { ReflectionEvaluation } from '../../../loop/contract/evaluation';
import { soleJsonIn } from '../../../loop/evaluation/output-reading';
import { parseEvaluationFile } from '../../yaml';
import { withFileLocation } from '../support/with-file-location';
import type { LoopFile } from '../support/run-input';
import type { Case } from './cases';
import { AGAIN, idOfRun } from './run-arm';

export interface HeldOutJudge {
  text: string;
  file: string;
}

/**
 * Returns whether an output matches the reference: texts are compared without blanks at their ends, and JSON, also inside a
 * text, by its value.
 */
function isRight(output: Json, reference: Json): boolean {
  if (typeof output !== 'string') return isDeepStrictEqual(output, reference);
  if (typeof reference === 'string') return output.trim() === reference.trim();
  return isDeepStrictEqual(soleJsonIn(output), reference);
}

export function judgedState({ state, reference }: Case): JsonObject {
  return reference === undefined ? state : { ...state, reference };
}

function requestFor({ text, file }: HeldOutJudge, tested: Case, output: Json) {
  return parseEvaluationFile(text, file, { data: output, state: judgedState(tested) });
}

/** The judge's file, as one whose warnings depend on the case. */
export function judgeFile(judge: HeldOutJudge): Pick<LoopFile, 'file' | 'warnings'> {
  const warnings: LoopFile['warnings'] = (state = {}, isWhole = false) =>
    isWhole ? requestFor(judge, { id: '', state }, '').warnings() : [];
  return { file: judge.file, warnings };
}

export function assertJudge(judge: HeldOutJudge, first: Case): void {
  requestFor(judge, first, '');
}

/**
 * Returns whether an output is right, by the judge if there is one, else by the reference. Undefined where there is neither,
 * or where the judge could not say.
 *
 * @throws RunFailedError where the judge's run failed; InvalidSpecError
 */
export async function truthOf(
  client: ReflectionClient,
  judge: HeldOutJudge | undefined,
  { tested, output, arm }: { tested: Case; output: Json; arm: string },
): Promise<boolean | undefined> {
  if (!judge) return tested.reference === undefined ? undefined : isRight(output, tested.reference);
  if (output === null) return false;
  const read = requestFor(judge, tested, output);
  const id = idOfRun(['judge', arm, tested.id], read.request);
  try {
    const isInconclusive = ({ outcome }: ReflectionEvaluation): boolean => outcome === 'inconclusive';
    const said = await RUN_KINDS.evaluation.runOnce(client, id, read.request, {}, AGAIN, isInconclusive);
    return isInconclusive(said) ? undefined : said.satisfactory;
  } catch (error) {
    throw withFileLocation(error, read);
  }
}
