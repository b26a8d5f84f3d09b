import type { Readable } from 'node:stream';
import { isJson, type Json } from '../json/json';
import { ExternalCallFailed } from './types';

const MAX_ANSWER_BYTES = 1_024 * 1_024;

/** Returns the whole text of a stream. Ends the stream when that is too much. */
export async function readWithinLimit(stream: Readable, who: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) {
      stream.destroy();
      throw new ExternalCallFailed(`${who} answered with more than ${MAX_ANSWER_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Characters of a text that only messages show, and the time for them to arrive. */
const BEGINNING = 4 * 1_024;
const BEGINNING_MS = 1_000;

export async function readBeginning(stream: Readable): Promise<string> {
  let text = '';
  const timer = setTimeout(() => stream.destroy(), BEGINNING_MS);
  try {
    for await (const piece of stream.setEncoding('utf8') as AsyncIterable<string>) {
      text += piece;
      if (text.length > BEGINNING) break;
    }
  } catch {
    // What arrived is enough.
  }
  clearTimeout(timer);
  return text;
}

export function readJson(text: string, who: string): Json {
  try {
    const value = JSON.parse(text) as unknown;
    if (isJson(value)) return value;
  } catch {
    // Reported below.
  }
  const said = text.trim() === '' ? 'nothing' : `"${text.trim().slice(0, 100)}"`;
  throw new ExternalCallFailed(`${who} answered ${said}, which is no JSON`, true);
}
