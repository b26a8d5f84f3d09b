import type { WorkflowDefinitionOptions } from '@temporalio/common';
import { type ContinueAsNewOptions, patched, workflowInfo } from '@temporalio/workflow';
import { RULES, type Ruled, rulesMark } from '../../loop/base/rules';

/** The memo field of a run that waits, or has waited, for a person or an event: such a run continues with the current build. */
const FOLLOWS = 'reflectionFollowsCurrentBuild';

function follows(): boolean {
  return workflowInfo().memo?.[FOLLOWS] === true;
}

/**
 * Returns whether the worker has a version. Only a worker of a version binds runs to it; the server refuses tasks that name
 * a behaviour from any other worker. Such a worker has a build, too, but no deployment.
 */
function isVersioned(): boolean {
  return Boolean(workflowInfo().currentDeploymentVersion?.deploymentName);
}

/** Returns whether a run may wait longer than the build that it is bound to is kept. */
export function isBoundToBuild(): boolean {
  return isVersioned() && !follows();
}

/**
 * Returns how a run is bound to a build: as the worker says, unless the previous run of the chain passed it on in order to
 * wait.
 */
export function versioningOptions(): WorkflowDefinitionOptions {
  return isVersioned() && follows() ? { versioningBehavior: 'AUTO_UPGRADE' } : {};
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
  return isVersioned() && (hasWorked || !follows());
}

/**
 * Returns the options of the next run of a chain: a run that waits begins with the build that is current, all others with
 * the build of this one.
 *
 * @param waits the next run waits, or may wait, for a person
 */
export function nextRunOptions(waits: boolean): ContinueAsNewOptions {
  if (!isVersioned()) return {};
  const { memo } = workflowInfo();
  if (waits) return followingOptions();
  return follows() ? { memo: { ...memo, [FOLLOWS]: false } } : {};
}

/**
 * Finds out by which rules a run decides, and keeps that in its state. Call it once, before the first command of the run and before
 * its handlers are set: during a replay the SDK's "no" is not final, so that a later question could be answered otherwise.
 *
 * A chain that began by older rules keeps them. The later runs of a chain carry a mark of their own, so that no worker of an older
 * release takes them over; where one did all the same, the run went on by the rules of that worker.
 *
 * @param carried whether an earlier run of the chain made the state
 */
export function keepRules<State extends Ruled>(state: State, carried: boolean): State {
  if (carried && state.rules === undefined) return state;
  const number = RULES.find((each) => patched(rulesMark(each)));
  if (number === undefined) delete state.rules;
  else state.rules = Math.min(state.rules ?? number, number);
  return state;
}
