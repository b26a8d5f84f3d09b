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

/** Keys of the state and of an event as variables, then what has a meaning of its own. */
function variablesOf({ state, output, event }) {
  return {
    ...named(state),
    ...(event !== undefined && { ...named(event), event }),
    state,
    ...(output !== undefined && { output }),
  };
}

function named(values) {
  const names = Object.keys(values).filter((name) => VARIABLE.test(name) && name !== 'result');
  return Object.fromEntries(names.map((name) => [name, values[name]]));
}

/** What print and its like may write; it goes nowhere, but code that prints without end has gone wrong. */
const PRINTED_CHARACTERS = 1_000_000;

function printLimit() {
  let left = PRINTED_CHARACTERS;
  return (characters) => {
    left -= characters;
    if (left < 0) throw new CodeFailure('OutputLimit', `printed more than ${PRINTED_CHARACTERS} characters`);
  };
}

module.exports = { CodeFailure, variablesOf, printLimit };
