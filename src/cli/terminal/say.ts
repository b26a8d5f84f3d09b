import { fit } from './fit';
import { widthOf } from './width';

// All that commands write goes through here: text for people fits their terminal, and standard output holds one JSON value at most.

/** Says something to people on standard output. */
export function say(text: string): void {
  console.log(fit(text, widthOf(process.stdout)));
}

/** Says something to people on standard error: mistakes, and what is said beside the JSON on standard output. */
export function sayAside(text: string): void {
  console.error(fit(text, widthOf(process.stderr)));
}

/** Writes data on standard output as it is, such as an output of a run. */
export function writeData(text: string): void {
  console.log(text);
}

let wroteJson = false;

/** Writes what a program reads. */
export function writeJson(value: unknown): void {
  writeJsonText(JSON.stringify(value, null, 2));
}

/** The same of a value that is JSON already. */
export function writeJsonText(json: string): void {
  wroteJson = true;
  writeData(json);
}

/** The same, for a command that fails: nothing where it has written its value before, as standard output holds exactly one. */
export function writeJsonFailure(value: unknown): void {
  if (!wroteJson) writeJson(value);
}

/** What a command says while it works: on standard output, or aside where that holds JSON. */
export function sayNews(news: NodeJS.WriteStream, text: string): void {
  news.write(`${fit(text, widthOf(news))}\n`);
}
