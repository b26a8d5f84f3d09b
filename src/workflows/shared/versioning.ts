import type { WorkflowDefinitionOptions } from '@temporalio/common';
import { type ContinueAsNewOptions, patched, workflowInfo } from '@temporalio/workflow';
import { follows, RULES, type Ruled, type Rules, rulesMark } from '../../loop/base/rules';

/** The memo field of a run that waits, or has waited, for a person or an event: such a run continues with the current build. */
const FOLLOWS = 'reflectionFollowsCurrentBuild';

function followsCurrentBuild(): boolean {
  return workflowInfo().memo?.[FOLLOWS] === true;
}

/** A worker without a version has a build, but no deployment: the server refuses a behaviour from it. */
function isVersioned(): boolean {
  return Boolean(workflowInfo().currentDeploymentVersion?.deploymentName);
}

/** Returns whether a run may wait longer than the build that it is bound to is kept. */
export function isBoundToBuild(): boolean {
  return isVersioned() && !followsCurrentBuild();
}

/**
 * Says how a run is bound to a build: as the worker says, unless the previous run of the chain passed it on in order to wait.
 */
export function versioningOptions(): WorkflowDefinitionOptions {
  return isVersioned() && followsCurrentBuild() ? { versioningBehavior: 'AUTO_UPGRADE' } : {};
}

/** Returns the options by which the next run goes on with the build that is current, and stays with none while it waits. */
export function followingOptions(): ContinueAsNewOptions {
  if (!isVersioned()) return {};
  return { initialVersioningBehavior: 'AUTO_UPGRADE', memo: { ...workflowInfo().memo, [FOLLOWS]: true } };
}

/**
 * Returns whether a run that lives for long, and has nothing to do, should let another run take over: so that it is bound to
 * no build while it waits, and the build that handles the next message has to replay nothing that another build did.
 */
export function shouldFollow(hasWorked: boolean): boolean {
  return isVersioned() && (hasWorked || !followsCurrentBuild());
}

/**
 * The options of the next run of a chain: a run that waits begins with the build that is current, all others with the build of
 * this one.
 * @param waits the next run waits, or may wait, for a person
 */
export function nextRunOptions(waits: boolean): ContinueAsNewOptions {
  if (!isVersioned()) return {};
  const { memo } = workflowInfo();
  if (waits) return followingOptions();
  return followsCurrentBuild() ? { memo: { ...memo, [FOLLOWS]: false } } : {};
}

/** Fails the workflow task, and not the run: a worker of the release that began the run can finish it. */
class EarlierReleaseError extends Error {
  override readonly name = 'EarlierReleaseError';

  constructor() {
    super(
      'This run began with durable-reflection 0.2 or earlier, and this worker has 0.3 or later, which decides otherwise. The run ' +
        'has lost nothing: start a worker of 0.2.1 on its task queue, which finishes it, or terminate it (docs/upgrading.md).',
    );
  }
}

/**
 * Finds out by which rules a run decides, and keeps that in its state. Call it once, before the first command of the run and
 * before its handlers are set: during a replay the SDK's "no" is not final, so that a later question could be answered otherwise.
 * The later runs of a chain carry a mark of their own, so that no worker of an older release takes them over.
 * @param carried whether an earlier run of the chain made the state
 * @throws EarlierReleaseError for a run, or a chain, that began before 0.3.0
 */
export function keepRules<State extends Ruled>(state: State, carried = false): State {
  // Until 0.3.0 the rules had numbers, or were not kept. In a first task that is no replay `patched` says yes to everything.
  if (carried && !RULES.includes(state.rules as Rules)) throw new EarlierReleaseError();
  const name = RULES.findLast((each) => patched(rulesMark(each)));
  if (name === undefined) throw new EarlierReleaseError();
  state.rules = state.rules !== undefined && follows(name, state.rules) ? state.rules : name;
  return state;
}
