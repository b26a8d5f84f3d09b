import { DATA, PLAIN, type Shape, SPEC_SHAPE, STEP } from '../key-names';

const TASK: Shape = {
  kind: 'object',
  fields: { step: { ...STEP, fields: { ...STEP.fields, loop: SPEC_SHAPE } } },
};

/** The shape of a plan's file. */
export const PLAN_SHAPE: Shape = {
  kind: 'object',
  fields: {
    state: DATA,
    planner: STEP,
    plan: { kind: 'object', fields: { tasks: TASK } },
    criteria: PLAIN,
    memory: PLAIN,
    timeouts: PLAIN,
  },
};

/** The shape of a population's file. `global_config` is what `config` is on the wire. */
export const AGENTS_SHAPE: Shape = {
  kind: 'object',
  fields: {
    agents: { kind: 'object', fields: { attributes: DATA } },
    config: PLAIN,
    memory: PLAIN,
    budget: PLAIN,
    timeouts: PLAIN,
  },
  flat: { globalConfig: ['config'] },
};
