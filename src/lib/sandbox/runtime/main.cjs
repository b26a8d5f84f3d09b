'use strict';
/**
 * Runs inside the child process: loads one language, says that it is ready, takes one job, answers, and ends.
 *
 * The job comes as one line of JSON on descriptor 3, and the answer goes there: `<token> <json>`. The token is in the job, so
 * that code which writes to the descriptor by itself cannot pass for this file. What the answer is written with is taken
 * before any foreign code runs, so that nothing it replaces is in the way.
 */
const fs = require('node:fs');
const os = require('node:os');
const { Buffer } = require('node:buffer');

/** The runtimes of the languages: each loads only the packages that it needs. */
const LANGUAGES = {
  javascript: () => require('./javascript.cjs'),
  lua: () => require('./lua.cjs'),
  prolog: () => require('./prolog.cjs'),
  python: () => require('./python.cjs'),
};

const CHANNEL = 3;
const CHUNK_BYTES = 65_536;
const { readSync, writeSync } = fs;
const { parse, stringify } = JSON;
const { from, concat, alloc } = Buffer;
const usage = process.resourceUsage.bind(process);
const exit = process.reallyExit.bind(process);

/** Emscripten's file systems ask for constants in a way that the permission model forbids. Nothing else is to be had there. */
process.binding = (name) => {
  if (name === 'constants') return { fs: fs.constants, os: os.constants };
  throw new Error(`process.binding(${name}) is not there`);
};

/** Reads one line; ends the process when the worker has gone. */
function readLine() {
  const chunks = [];
  for (;;) {
    const chunk = alloc(CHUNK_BYTES);
    const count = readSync(CHANNEL, chunk, 0, CHUNK_BYTES, null);
    if (count === 0) exit(0);
    chunks.push(chunk.subarray(0, count));
    if (chunk[count - 1] === 10) return concat(chunks).toString('utf8');
  }
}

function send(text) {
  const bytes = from(text, 'utf8');
  let offset = 0;
  while (offset < bytes.length) offset += writeSync(CHANNEL, bytes, offset, bytes.length - offset);
}

/** Returns a failure in words of the language: `{ name, message, line }`. */
function failureOf(error) {
  return {
    name: String(error?.name ?? 'Error').slice(0, 200),
    message: String(error?.message ?? error).slice(0, 4_000),
    ...(Number.isInteger(error?.line) && { line: error.line }),
  };
}

/** Returns the mistake that keeps code from being read: a failure, or null. None of the code is run. */
function mistakeIn(check, code) {
  try {
    check(code);
    return null;
  } catch (error) {
    return failureOf(error);
  }
}

async function main() {
  const [language, snapshot, file] = process.argv.slice(2);
  const runtime = LANGUAGES[language]();
  if (snapshot === '--make-snapshot') {
    // Before any foreign code; it is what later processes start from.
    fs.writeFileSync(file, await runtime.snapshot());
    exit(0);
  }
  const { run, check } = await runtime.load(snapshot);
  send('ready\n');
  const { token, job } = parse(readLine());
  let answer;
  try {
    // A text of JSON, or undefined when the code ended without a result.
    const json = job.check ? stringify(job.check.map((code) => mistakeIn(check, code))) : await run(job);
    answer = json === undefined ? { none: true } : { json };
  } catch (error) {
    answer = { failure: failureOf(error) };
  }
  send(`${token} ${stringify({ ...answer, memoryBytes: usage().maxRSS * 1024 })}\n`);
  exit(0);
}

main().catch((error) => {
  writeSync(2, String(error?.stack ?? error).slice(0, 4_000));
  exit(70);
});
