'use strict';
const { CodeFailure, givenResult, variablesOf, printLimit } = require('./failure.cjs');

/** JavaScript in QuickJS: no host objects, no modules, no timers. */
const FILE = 'code';
const RESERVED = new Set(
  (
    'await break case catch class const continue debugger default delete do else enum export extends false finally for ' +
    'function if implements import in instanceof interface let new null package private protected public return static ' +
    'super switch this throw true try typeof var void while with yield undefined NaN Infinity'
  ).split(' '),
);

async function load() {
  const { getQuickJS } = require('quickjs-emscripten');
  const quickJs = await getQuickJS();
  // A first run, in a separate runtime, makes the machine code before the run that counts.
  const trial = quickJs.newRuntime();
  run(trial, trial.newContext(), {
    code: 'return [output, a]',
    inputs: { state: { a: {} }, output: 1 },
    memoryBytes: 1e8,
  });
  const runtime = quickJs.newRuntime();
  runtime.setMaxStackSize(512 * 1024);
  const context = runtime.newContext();
  return { run: (job) => run(runtime, context, job), check: (code) => check(context, code) };
}

/** Compiles code as it would be run. */
function check(context, code) {
  unwrapResult(context, context.evalCode(`(function () { ${code}\n; })`, FILE, { compileOnly: true })).dispose();
}

function run(runtime, context, { code, inputs, memoryBytes }) {
  runtime.setMemoryLimit(memoryBytes);
  definePrint(context);
  // A key of the state may be called JSON.
  const json = context.getProp(context.global, 'JSON');
  const [parse, stringify] = [context.getProp(json, 'parse'), context.getProp(json, 'stringify')];
  const variables = Object.entries(variablesOf(inputs)).filter(([name]) => !RESERVED.has(name));
  for (const [name, value] of variables) context.setProp(context.global, name, parseValue(context, parse, value));
  const given = givenResult({ code, inputs });
  if (given) context.setProp(context.global, 'result', parseValue(context, parse, given.value));
  // In the same function as the code, so that `result` may be a variable of any kind; on the same line, so that lines count.
  const unset = given ? `typeof result === 'undefined' || result === arguments[0]` : `typeof result === 'undefined'`;
  const program = `(function () { ${code}\n; return ${unset} ? undefined : result })(${given ? 'result' : ''})`;
  const value = unwrapResult(context, context.evalCode(program, FILE));
  const text = unwrapResult(context, context.callFunction(stringify, context.undefined, value));
  return context.typeof(text) === 'undefined' ? undefined : context.getString(text);
}

function parseValue(context, parse, value) {
  const text = context.newString(JSON.stringify(value));
  return context.unwrapResult(context.callFunction(parse, context.undefined, text));
}

function definePrint(context) {
  const count = printLimit();
  const print = context.newFunction('log', (...values) => {
    for (const value of values) count(context.typeof(value) === 'string' ? context.getString(value).length : 20);
  });
  const console = context.newObject();
  for (const name of ['log', 'info', 'warn', 'error', 'debug']) context.setProp(console, name, print);
  context.setProp(context.global, 'console', console);
  context.setProp(context.global, 'print', print);
}

function unwrapResult(context, result) {
  if (!result.error) return result.value;
  const { name = 'Error', message = '', stack = '' } = describe(context, result.error);
  // The innermost place in the code itself.
  const [, line] = /\(?code:(\d{1,6})(?!\d)/.exec(String(stack)) ?? [];
  throw new CodeFailure(String(name), String(message), line === undefined ? undefined : Number(line));
}

/** Describes an error. Errors are objects as a rule; anything can be thrown. */
function describe(context, handle) {
  const thrown = context.dump(handle);
  return typeof thrown === 'object' && thrown !== null ? thrown : { message: String(thrown) };
}

module.exports = { load };
