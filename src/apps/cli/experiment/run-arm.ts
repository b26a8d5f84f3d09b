import type { ReflectionClient } from '../../../client';
import { runOnce } from '../../../calls/run-kind';
import { RUN_KINDS } from '../../../kinds/list/client';
import { RunFailedError } from '../../../loop/errors/errors';
import { type Arm, makeSample } from '../../experiment/arms';
import { type CaseOutcome, makeFailedOutcome, outcomeOf } from '../../experiment/outcome';
import type { ReflectionSpec } from '../../../loop/contract/spec';
import { isUnjudged } from '../../../loop/versions/result';
import type { ReflectionResult } from '../../../loop/contract/results';
import { createHash } from 'node:crypto';
import { idWords } from '../../../lib/names/id-words';
import { omitUndefined } from '../../../lib/base/defined';
import { isJsonObject, type Json, type JsonObject } from '../../../lib/json/json';
import { CliError } from '../support/cli-error';
import type { ItemLines } from '../support/item-lines';
import { isDeepStrictEqual } from 'node:util';
import type { ReflectionEvaluation } from '../../../loop/contract/evaluation';
import { soleJsonIn } from '../../../loop/evaluation/output-reading';
import { parseEvaluationFile } from '../../yaml';
import { withFileLocation } from '../support/with-file-location';
import type { LoopFile } from '../support/run-input';

export interface HeldOutJudge {
  text: string;
  file: string;
}

/** Compares texts without blanks at their ends, and JSON, also inside a text, by its value. */
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
 * Whether an output is right, by the judge if there is one, else by the reference. Undefined where there is neither, or where the
 * judge could not say. Throws RunFailedError where the judge's run failed; InvalidSpecError.
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
    const said = await runOnce(RUN_KINDS.evaluation, client, [id, read.request], {}, isInconclusive);
    return isInconclusive(said) ? undefined : said.satisfactory;
  } catch (error) {
    throw withFileLocation(error, read);
  }
}

export interface Case {
  id: string;
  state: JsonObject;
  reference?: Json;
}

const MOST_CASES = 2_000;

/**
 * Reads cases: a line is the state, apart from `id` and `reference`. Default of the id: the number of the case, from 1. Throws
 * CliError `InvalidItems` for a line that is not a case, an id that is there twice, no lines, or too many.
 */
export async function readCases(lines: ItemLines): Promise<Case[]> {
  const { file } = lines;
  const cases: Case[] = [];
  const seen = new Set<string>();
  for await (const line of lines.read()) {
    const number = cases.length + 1;
    const refuse = (what: string): never => {
      throw new CliError('InvalidItems', `${file}, case ${number}: ${what}.`, 'Nothing was started.');
    };
    // The type is that of what should stand there.
    if (!isJsonObject(line as unknown)) return refuse('must be a JSON object');
    const { id = String(number), reference, ...state } = line;
    if (typeof id !== 'string' && typeof id !== 'number') return refuse('`id` must be a text or a number');
    if (seen.has(String(id))) return refuse(`the id "${id}" is there twice`);
    seen.add(String(id));
    cases.push(omitUndefined({ id: String(id), state, reference }));
    if (cases.length > MOST_CASES) return refuse(`there may be ${MOST_CASES} cases at most`);
  }
  if (cases.length > 0) return cases;
  throw new CliError('InvalidItems', `${file} holds no case.`, 'Each line is a JSON object: the state of a loop.');
}

const HASH_LENGTH = 16;

/** A result that was paid for is not paid for again; a failed or unjudged run is started anew. */
export const AGAIN = 'ALLOW_DUPLICATE_FAILED_ONLY';

/** One id for one request: a command that is given again runs, and pays for, only what changed. */
export function idOfRun(names: readonly string[], content: unknown): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([names, content]))
    .digest('hex')
    .slice(0, HASH_LENGTH);
  const words = names.map(idWords).filter((word) => word !== '');
  return ['experiment', ...words, hash].join('-');
}

interface Place {
  client: ReflectionClient;
  /** Another one makes all runs anew. */
  name: string;
}

interface Ran {
  workflowId: string;
  result: ReflectionResult;
}

class Runs {
  /** Ids of those that were started, whether they have a result or not. */
  readonly ids: string[] = [];

  constructor(
    private readonly place: Place,
    private readonly arm: string,
    private readonly tested: Case,
  ) {}

  async once(spec: ReflectionSpec, at = 1): Promise<Ran> {
    const { client, name } = this.place;
    const given = { ...spec, state: { ...spec.state, ...this.tested.state } };
    const workflowId = idOfRun([name, this.arm, this.tested.id], [given, at]);
    this.ids.push(workflowId);
    const result = await runOnce(RUN_KINDS.loop, client, [workflowId, given], {}, (ended: ReflectionResult) =>
      isUnjudged(ended),
    );
    return { workflowId, result };
  }

  /** Samples until one passes, or as many calls were made as the loop used. At least one. */
  async samples(spec: ReflectionSpec, calls: number): Promise<Ran[]> {
    const one = makeSample(spec);
    const runs: Ran[] = [];
    for (let used = 0, at = 1; at === 1 || used < calls; at += 1) {
      const ran = await this.once(one, at);
      runs.push(ran);
      const { success, tokenUsage } = ran.result;
      used += tokenUsage.modelCalls;
      // Without a model, all samples are the same.
      if (success || tokenUsage.modelCalls === 0) break;
    }
    return runs;
  }
}

/** Does a case by an arm. Throws InvalidSpecError, and what is not about the case, such as a server that is away. */
export async function runArm(place: Place, arm: Arm, tested: Case, calls: number): Promise<CaseOutcome> {
  const runs = new Runs(place, arm.name, tested);
  try {
    const ran = arm.kind === 'best-of-n' ? await runs.samples(arm.spec, calls) : [await runs.once(arm.spec)];
    return outcomeOf(arm, tested.id, ran);
  } catch (error) {
    if (!(error instanceof RunFailedError)) throw error;
    const { type, message } = error;
    return makeFailedOutcome(arm, tested.id, { workflowIds: runs.ids, error: { type, message } });
  }
}
