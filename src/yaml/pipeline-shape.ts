import { DATA, EVALUATOR, PLAIN, type Shape, SPEC_SHAPE, STEP } from './key-names';

const flatInto = (field: string, keys: readonly string[]): Record<string, readonly string[]> =>
  Object.fromEntries(keys.map((key) => [key, [field, key]]));

/** `reflection.evaluate` as the documents write it: an evaluator's fields stand beside the data. */
const EVALUATE: Shape = {
  kind: 'object',
  fields: { data: DATA, evaluator: EVALUATOR },
  flat: {
    evaluatorType: ['evaluator', 'type'],
    ...flatInto('evaluator', ['schema', 'coerce', 'prompt', 'model', 'examples', 'run', 'language']),
  },
};

const CORRECT: Shape = {
  kind: 'object',
  fields: { data: DATA, errors: DATA, corrector: STEP },
  flat: {
    correctorAction: ['corrector', 'action'],
    ...flatInto('corrector', ['prompt', 'system', 'messages', 'model', 'temperature', 'maxTokens', 'run', 'language']),
  },
};

/** What stands in `with`, by what the node runs. A registered action's parameters are its own. */
const PARAMETERS: Record<string, Shape> = {
  'reflection.loop': SPEC_SHAPE,
  'reflection.evaluate': EVALUATE,
  'reflection.correct': CORRECT,
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
