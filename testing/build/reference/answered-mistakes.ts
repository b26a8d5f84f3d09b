/** A mistake that people make, and the answer to it. The table test makes each of them. */
export interface AnsweredMistake {
  /** The mistake, as the page tells it. */
  mistake: string;
  /** The type of the error. */
  type: string;
  /** A part of its message: the place, what is wrong, what to do. */
  answer: string;
}

/** Mistakes that were answered badly once. */
export const ANSWERED_MISTAKES = {
  bracesInPrompt: {
    mistake: '`prompt: \'Answer like {{"score": 1}}\'`',
    type: 'InvalidSpec',
    answer: 'braces that are text stand between {% raw %} and {% endraw %}',
  },
  largeSpec: {
    mistake: 'a text of 2.6 MB in `state`',
    type: 'InvalidSpec',
    answer: '/state/text: has 2,600,002 bytes as JSON, and a start takes 2 MB at most in all: set REFLECT_STORAGE',
  },
  largerSpec: {
    mistake: 'a text of 5 MB in `state`',
    type: 'InvalidSpec',
    answer: '/state/text: has 5,000,002 bytes as JSON, and a start takes 2 MB at most in all: set REFLECT_STORAGE',
  },
  otherFile: {
    mistake: 'a file of another program, such as a workflow of GitHub Actions',
    type: 'InvalidSpec',
    answer: 'the file looks like a workflow of GitHub Actions; a spec has `generator:` (or `task:`) and `evaluator:`',
  },
  unknownFile: {
    mistake: 'a file with other keys only',
    type: 'InvalidSpec',
    answer: 'none of its keys (steps, retries) is one of a spec; a spec has `generator:` (or `task:`) and `evaluator:`',
  },
  listFile: {
    mistake: 'a file that is a list of specs',
    type: 'InvalidSpec',
    answer: 'the file is a list, which only the nodes of a pipeline may be',
  },
  textFile: {
    mistake: 'a file that holds one text',
    type: 'InvalidSpec',
    answer: 'the file holds a single value; a spec has `generator:`',
  },
  latin1File: {
    mistake: 'a file in ISO 8859-1',
    type: 'InvalidYaml',
    answer: ':2:9  the file is not UTF-8 (its byte 17 is 0xfc): save it as UTF-8',
  },
  utf16File: {
    mistake: 'a file in UTF-16',
    type: 'InvalidYaml',
    answer: 'the file is not UTF-8 (it looks like UTF-16): save it as UTF-8',
  },
  listAtRoot: {
    mistake: '`client.run([spec])`',
    type: 'InvalidSpec',
    answer: 'a spec must be a JSON object, not a list: start a run for each spec, or a batch',
  },
  promisedSpec: { mistake: '`client.run(loadSpec(file))`', type: 'InvalidSpec', answer: 'is a Promise: await it' },
  dateInState: {
    mistake: 'a `Date` in `state`',
    type: 'InvalidSpec',
    answer: '/state/at: is a Date, which JSON does not have: give a text, such as `toISOString()` gives',
  },
  mapInState: {
    mistake: 'a `Map` in `state`',
    type: 'InvalidSpec',
    answer: '/state/list/1: is a Map, which JSON does not have: give an object, such as `Object.fromEntries(map)`',
  },
  nanInState: {
    mistake: '`NaN` in `state`',
    type: 'InvalidSpec',
    answer: '/state/mean: is NaN, which JSON does not have: give a number or null',
  },
  bigintInState: {
    mistake: 'a `bigint` in `state`',
    type: 'InvalidSpec',
    answer: '/state/id: is a bigint, which JSON does not have: give a number, or a text for one above 2^53',
  },
  loopInState: {
    mistake: 'an object in `state` that contains itself',
    type: 'InvalidSpec',
    answer: '/state: is nested more than 500 levels deep, or contains itself',
  },
  zodWithoutDefine: {
    mistake: 'a zod schema in a spec that `defineSpec` did not make',
    type: 'InvalidSpec',
    answer: '/evaluator/schema: is a zod schema, which cannot be sent: pass the spec to `defineSpec`',
  },
  zodAsEvaluator: {
    mistake: 'a zod schema as `evaluator`',
    type: 'InvalidSpec',
    answer: '/evaluator: is a zod schema, which cannot be sent: pass the spec to `defineSpec`',
  },
  zod3: {
    mistake: 'a schema of zod 3',
    type: 'InvalidSpec',
    answer: '/evaluator/schema: is a schema of zod 3, which cannot be converted: give a schema of zod 4',
  },
  zod3Evaluator: {
    mistake: '`schemaEvaluator` with a schema of zod 3',
    type: 'InvalidSpec',
    answer: '/schema: is a schema of zod 3, which cannot be converted: give a schema of zod 4',
  },
  convergenceTrue: {
    mistake: '`convergence: true`',
    type: 'InvalidSpec',
    answer: '/convergence: must be an object, not true; its fields are ',
  },
  tooHigh: {
    mistake: '`qualityThreshold: 80`',
    type: 'InvalidSpec',
    answer: '/qualityThreshold: Too big: expected number to be <=1',
  },
  closedClient: {
    mistake: 'a call after `client.close()`',
    type: 'CallAborted',
    answer: 'was not sent: the client is closed. Call it before `close`, or connect again.',
  },
  undefinedRun: {
    mistake: '`client.progress(undefined)`',
    type: 'InvalidConfig',
    answer: '/workflowId: must be the id of a run, or what `start` or `list` returned, and is undefined',
  },
  promisedRun: {
    mistake: '`client.accept(client.start(spec))`',
    type: 'InvalidConfig',
    answer: '/workflowId: must be the id of a run, or what `start` or `list` returned, and is a Promise: await it',
  },
  otherKind: {
    mistake: '`client.result` of the id of a pipeline',
    type: 'WrongKind',
    answer: 'is a workflow of the type reflectionPipeline, not reflectionLoop',
  },
} as const satisfies Record<string, AnsweredMistake>;
