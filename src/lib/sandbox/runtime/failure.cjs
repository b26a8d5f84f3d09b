'use strict';

/** An error of the code that is run; `line` counts from 1 in its text. */
class CodeFailure extends Error {
  constructor(name, message, line) {
    super(message);
    this.name = name;
    if (line !== undefined) this.line = line;
  }
}

/** Names that state keys may have as variables: those that every one of the languages can write. */
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Returns the variables: keys of the state and of an event, then those with a meaning of their own. */
function variablesOf({ state, output, event }) {
  return {
    ...pickNamed(state),
    ...(event !== undefined && { ...pickNamed(event), event }),
    state,
    ...(output !== undefined && { output }),
  };
}

/** Ways to set a variable in the languages that are not read further; what a table or an object names so counts, too. */
const SETS_RESULT =
  /(?<![.\w"'`])result\s*(?:[-+*/%&|^?<>.]{0,3}=(?![=>])|,[^\n]*=|\+\+|--)|,\s*result\s*=(?!=)|\b(?:let|const|var|local)\b(?:(?!\b(?:of|in)\b)[^\n;=])*\bresult\b/;

/**
 * Returns the state's `result` in an object: it is a variable, too, unless the code sets a variable of that name.
 *
 * @param reads looks at the code by itself
 */
function givenResult({ code, inputs: { state } }, reads = false) {
  if (!Object.hasOwn(state, 'result') || !(reads || (/\bresult\b/.test(code) && !SETS_RESULT.test(code))))
    return undefined;
  return { value: state.result };
}

function pickNamed(values) {
  const names = Object.keys(values).filter((name) => VARIABLE.test(name) && name !== 'result');
  return Object.fromEntries(names.map((name) => [name, values[name]]));
}

/**
 * The most characters that print and its like may write; the text is dropped, but code that prints without end has gone
 * wrong.
 */
const PRINTED_CHARACTERS = 1_000_000;

function printLimit() {
  let left = PRINTED_CHARACTERS;
  return (characters) => {
    left -= characters;
    if (left < 0) throw new CodeFailure('OutputLimit', `printed more than ${PRINTED_CHARACTERS} characters`);
  };
}

module.exports = { CodeFailure, givenResult, variablesOf, printLimit };
