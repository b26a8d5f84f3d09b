import type { ReflectionClient } from '../../client';
import { RUN_KINDS } from '../../client/kinds/run-kinds';
import { RunFailedError } from '../../domain/errors/errors';
import type { JsonObject } from '../../domain/base/json/json';
import { type Arm, sample } from '../../domain/experiment/arms';
import { type CaseOutcome, failedOutcome, outcomeOf } from '../../domain/experiment/outcome';
import type { ReflectionSpec } from '../../domain/spec/spec';
import type { ReflectionResult } from '../../domain/versions/result';
import type { Case } from './cases';
import { runAgain } from './run-again';
import { idOfRun } from './run-ids';

/** Where runs of an experiment are made. */
export interface Place {
  client: ReflectionClient;
  /** Another one makes all runs anew. */
  name: string;
}

interface Ran {
  workflowId: string;
  result: ReflectionResult;
}

function withState(spec: ReflectionSpec, state: JsonObject): ReflectionSpec {
  return { ...spec, state: { ...spec.state, ...state } };
}

async function runOnce({ client, name }: Place, arm: string, tested: Case, spec: ReflectionSpec, at = 1): Promise<Ran> {
  const given = withState(spec, tested.state);
  const workflowId = idOfRun([name, arm, tested.id], [given, at]);
  try {
    return { workflowId, result: await runAgain(RUN_KINDS.loop, client, workflowId, given) };
  } catch (error) {
    throw error instanceof RunFailedError ? Object.assign(error, { workflowId }) : error;
  }
}

/** Samples until one passes, or as many calls were made as the loop used. At least one. */
async function samples(place: Place, arm: Arm, tested: Case, calls: number): Promise<Ran[]> {
  const spec = sample(arm.spec);
  const runs: Ran[] = [];
  for (let used = 0, at = 1; at === 1 || used < calls; at += 1) {
    const ran = await runOnce(place, arm.name, tested, spec, at);
    runs.push(ran);
    used += ran.result.tokenUsage.modelCalls;
    // Without a model, all samples are the same.
    if (ran.result.success || ran.result.tokenUsage.modelCalls === 0) break;
  }
  return runs;
}

/**
 * Does a case by an arm.
 *
 * @param calls model calls that the loop used on the case; for samples
 * @throws InvalidSpecError, and what is not about the case, such as a server that is away
 */
export async function runArm(place: Place, arm: Arm, tested: Case, calls: number): Promise<CaseOutcome> {
  try {
    const runs =
      arm.kind === 'best-of-n'
        ? await samples(place, arm, tested, calls)
        : [await runOnce(place, arm.name, tested, arm.spec)];
    return outcomeOf(arm, tested.id, runs);
  } catch (error) {
    if (!(error instanceof RunFailedError)) throw error;
    const { type, message, workflowId } = error as RunFailedError & { workflowId: string };
    return failedOutcome(arm, tested.id, { workflowIds: [workflowId], error: { type, message } });
  }
}
