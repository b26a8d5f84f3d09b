import { permanentFailure } from '../failures';
import { allParts } from '../../loop/spec/judges';
import type { ReflectionSpec } from '../../loop/contract/spec';
import { type Sandbox, SandboxUnavailable } from '../../actions/inline-code';

/** Returns whether a valid spec has inline code anywhere. */
function hasCode(spec: ReflectionSpec): boolean {
  const { generator, corrector, hooks = {} } = spec;
  return (
    'run' in generator ||
    (corrector !== undefined && 'run' in corrector) ||
    Object.values(hooks).some((hook) => typeof hook === 'object') ||
    allParts(spec).some(({ evaluator }) => evaluator.type === 'custom')
  );
}

/**
 * Ends a run whose code this machine cannot sandbox before anything is paid for.
 *
 * @param specs valid ones: all that the run may run
 * @throws ApplicationFailure `StepFailed` of the step `prepare`, with how to fix it
 */
export async function demandSandbox(specs: readonly ReflectionSpec[], sandbox: Sandbox | undefined): Promise<void> {
  if (!sandbox || !specs.some(hasCode)) return;
  try {
    await sandbox.demand();
  } catch (error) {
    // Any other failure may pass, and is reported by the code that it keeps from running.
    if (!(error instanceof SandboxUnavailable)) return;
    throw permanentFailure('StepFailed', error.message, [{ step: 'prepare' }]);
  }
}
