/** Every workflow of these tests in one module, of which one bundle is made: to bundle costs seconds of processor time. */
export {
  beating,
  greeting,
  poems,
  ruled,
  throwing,
  signed,
  caught,
  impatient,
  shelfQuery,
  steered,
  listening,
  acceptsItself,
  handsOn,
} from './own-workflows';
export {
  reviser,
  reportingAgent,
  threeFunctions,
  ownGenerator,
  failingReviser,
  cancelledReviser,
  waiter,
  answering,
  slowGenerator,
  abortedFunction,
  waitsHeard,
  deafPart,
  tidyFunction,
} from './function-workflows';
export { writer, echo, judge, answers, draftsOnly, endless, slow } from './called-workflow-types';
