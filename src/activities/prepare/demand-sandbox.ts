import { permanentFailure } from '../failures';
import { allParts } from '../../loop/spec/judges';
import type { ReflectionSpec } from '../../loop/contract/spec';
import { type Sandbox, SandboxUnavailable } from '../../actions/inline-code';

function hasCode(spec: ReflectionSpec): boolean {
  const { generator, corrector, hooks = {} } = spec;
  return (
    'run' in generator ||
    (corrector !== undefined && 'run' in corrector) ||
    Object.values(hooks).some((hook) => typeof hook === 'object') ||
    allParts(spec).some(({ evaluator }) => 'run' in evaluator)
  );
}

/** Fails the run before anything is paid for. Throws `StepFailed` of the step `prepare`, with how to fix it. */
export async function demandSandbox(specs: readonly ReflectionSpec[], sandbox: Sandbox | undefined): Promise<void> {
  if (!sandbox || !specs.some(hasCode)) return;
  try {
    await sandbox.demand();
  } catch (error) {
    // Any other failure may be temporary; if it is not, the step that runs the code reports it.
    if (!(error instanceof SandboxUnavailable)) return;
    throw permanentFailure('StepFailed', error.message, [{ step: 'prepare' }]);
  }
}
