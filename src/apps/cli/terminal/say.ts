import { fitStream } from './fit';
import { printable } from '../views/printable';

// All that commands write goes through here: human-readable text fits the terminal, and standard output holds one JSON value at
// most.

export function printText(text: string): void {
  console.log(fitStream(text, process.stdout));
}

/** Prints text on standard error: problems, and all that accompanies the JSON on standard output. */
export function printAside(text: string): void {
  console.error(fitStream(text, process.stderr));
}

/** Writes data on standard output as it is, such as an output of a run; a terminal gets what it can show. */
export function writeData(text: string): void {
  console.log(process.stdout.isTTY ? printable(text) : text);
}

let wroteJson = false;

export function writeJson(value: unknown): void {
  writeJsonText(JSON.stringify(value, null, 2));
}

export function writeJsonText(json: string): void {
  wroteJson = true;
  writeData(json);
}

/** Writes the JSON of a command that fails: nothing if it has written its value before, as standard output holds exactly one. */
export function writeJsonFailure(value: unknown): void {
  if (!wroteJson) writeJson(value);
}

export function printProgress(news: NodeJS.WriteStream, text: string): void {
  news.write(`${fitStream(text, news)}\n`);
}
