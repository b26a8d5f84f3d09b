import type { ReflectionClient } from '../../../client';
import { RUN_KINDS } from '../../../kinds/list/client';
import { RunFailedError } from '../../../loop/errors/errors';
import { type Arm, makeSample } from '../../experiment/arms';
import { type CaseOutcome, makeFailedOutcome, outcomeOf } from '../../experiment/outcome';
import type { ReflectionSpec } from '../../../loop/contract/spec';
import { isUnjudged } from '../../../loop/versions/result';
import type { ReflectionResult } from '../../../loop/contract/results';
import type { Case } from './cases';
import { createHash } from 'node:crypto';
import { idWords } from '../../../lib/names/id-words';

const HASH_LENGTH = 16;

/**
 * The reuse policy of ids: a result that was paid for is not paid for again; a run that failed, or whose output could not be
 * judged, is started anew.
 */
export const AGAIN = 'ALLOW_DUPLICATE_FAILED_ONLY';

/**
 * Returns the id of a run of an experiment: the same for the same request, so that a command that is given again goes on where it
 * was, and only what changed is run and paid for again.
 *
 * @param names by which a user recognises the run
 * @param content what the run depends on
 */
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
    return { workflowId, result: await RUN_KINDS.loop.runOnce(client, workflowId, given, {}, AGAIN, isUnjudged) };
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

/**
 * Does a case by an arm.
 *
 * @param calls model calls that the loop used on the case; for samples
 * @throws InvalidSpecError, and what is not about the case, such as a server that is away
 */
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
