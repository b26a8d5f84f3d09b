import { CORRECTION_SHAPE, DATA, EVALUATION_SHAPE, PLAIN, type Shape, SPEC_SHAPE } from '../key-names';

/** What stands in `with`, by what the node runs. A registered action's parameters are its own. */
const PARAMETERS: Record<string, Shape> = {
  'reflection.loop': SPEC_SHAPE,
  'reflection.evaluate': EVALUATION_SHAPE,
  'reflection.correct': CORRECTION_SHAPE,
  'llm.call': PLAIN,
};

const NODE: Shape = {
  kind: 'object',
  fields: {},
  choose(textOf) {
    const action = textOf('uses') ?? textOf('action') ?? '';
    const parameters = Object.hasOwn(PARAMETERS, action) ? PARAMETERS[action]! : DATA;
    return { kind: 'object', fields: { with: parameters }, flat: { uses: ['action'] } };
  },
};

/** The shape of a file that is a list of nodes. */
export const NODE_LIST_SHAPE: Shape = NODE;

/** The shape of a pipeline. */
export const PIPELINE_SHAPE: Shape = {
  kind: 'object',
  fields: {
    state: DATA,
    nodes: NODE,
    edges: PLAIN,
    settings: { kind: 'object', fields: { llm: PLAIN, timeouts: PLAIN } },
  },
};
