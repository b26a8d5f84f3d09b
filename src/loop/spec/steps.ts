import { REVISION_DEFAULTS } from '../base/defaults';
import type { ModelCallStep, Step, WorkflowStep } from '../contract/steps';
import type { ReflectionSpec } from '../contract/spec';

export function isModelCall(step: Step): step is ModelCallStep {
  return 'action' in step && step.action === 'llm.call';
}

export function isWorkflowStep(step: Step): step is WorkflowStep {
  return 'workflow' in step;
}

export function builtInReviser(spec: Pick<ReflectionSpec, 'generator' | 'corrector'>): ModelCallStep | undefined {
  const { generator, corrector } = spec;
  if (!corrector) return isModelCall(generator) ? generator : undefined;
  if (!isModelCall(corrector) || corrector.mode === 'hint') return undefined;
  // A corrector that only names another model: the built-in prompt on that model.
  if ('prompt' in corrector || 'messages' in corrector) return undefined;
  return isModelCall(generator) ? { ...generator, ...corrector } : corrector;
}

/** A corrector in `hint` mode without a prompt, on the generator's model if it names none. Undefined for all others. */
export function builtInAdviser({
  generator,
  corrector,
}: Pick<ReflectionSpec, 'generator' | 'corrector'>): ModelCallStep | undefined {
  if (!corrector || corrector.mode !== 'hint' || !isModelCall(corrector)) return undefined;
  if ('prompt' in corrector || 'messages' in corrector) return undefined;
  if (!isModelCall(generator)) return corrector;
  const { tools: _tools, ...asked } = generator;
  return { ...asked, ...corrector };
}

export function choosesStrategy({
  revision,
  ...spec
}: Pick<ReflectionSpec, 'generator' | 'corrector' | 'revision'>): boolean {
  return (revision?.strategy ?? REVISION_DEFAULTS.strategy) === 'hybrid' && builtInReviser(spec) !== undefined;
}
