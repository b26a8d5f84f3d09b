import type { FileKind } from '../../../apps/yaml/forms/file-kind';
import { shapeOf } from '../../../apps/yaml/forms/shapes';
import { sayOfTriggers } from '../../../apps/yaml/forms/trigger-names';
import { planSpec, type PlanSpec } from '../contract/plan';
import { parsePlanSpec } from '../parse/plan';
import { planFileSchema } from './plan-file-schema';
import { planForm } from './plan-form';

const PLAN_SHAPE = shapeOf(planSpec);

/** A file that holds a goal, and how it is to be reached. */
export const planFile: FileKind<PlanSpec> = {
  key: 'goal',
  holds: 'a plan (`goal:`)',
  isIn: ({ keys }) => keys.includes('goal'),
  shape: () => PLAN_SHAPE,
  form: planForm,
  parse: parsePlanSpec,
  say: sayOfTriggers(/^\/plan\/tasks\/\d+\/step\/loop\/reflectionTriggers$/),
  jsonSchema: (schemas) => ({ 'plan-file.json': planFileSchema(schemas) }),
};
