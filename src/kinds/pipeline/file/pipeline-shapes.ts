import { CORRECTION_SHAPE, EVALUATION_SHAPE, fieldsOf, shapeOf, SPEC_SHAPE } from '../../../apps/yaml/forms/shapes';
import { DATA, PLAIN, type Shape } from '../../../lib/yaml/key-names';
import { modelCallStep } from '../../../loop/contract/steps';
import { pipelineSpec } from '../contract/pipeline';

/** The shapes of `with`, by what the node runs. A registered action's parameters are its own. */
const PARAMETERS: Record<string, Shape> = {
  'reflection.loop': SPEC_SHAPE,
  'reflection.evaluate': EVALUATION_SHAPE,
  'reflection.correct': CORRECTION_SHAPE,
  'llm.call': shapeOf(modelCallStep.omit({ action: true })),
};

export const NODE_LIST_SHAPE: Shape = {
  ...PLAIN,
  choose(textOf) {
    const action = textOf('uses') ?? textOf('action') ?? '';
    const parameters = Object.hasOwn(PARAMETERS, action) ? PARAMETERS[action]! : DATA;
    return { kind: 'object', fields: { with: parameters }, flat: { uses: ['action'] } };
  },
};

const PIPELINE_FIELDS = fieldsOf(shapeOf(pipelineSpec));
const SETTINGS_FIELDS = fieldsOf(PIPELINE_FIELDS['settings']!);

/** Agent files that others wrote declare their state, and have words of their own for what it begins with and for the model. */
export const PIPELINE_SHAPE: Shape = {
  kind: 'object',
  fields: {
    ...PIPELINE_FIELDS,
    nodes: NODE_LIST_SHAPE,
    stateSchema: DATA,
    settings: {
      kind: 'object',
      fields: {
        ...SETTINGS_FIELDS,
        llm: { kind: 'object', fields: fieldsOf(SETTINGS_FIELDS['llm']!), flat: { defaultModel: ['model'] } },
      },
    },
  },
  flat: { initialState: ['state'] },
};
