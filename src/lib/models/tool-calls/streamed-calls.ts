import type { Json, JsonObject } from '../../json/json';
import { assertFewCalls, type ReadBytes } from '../habits/reply-size';
import { countIn, fieldOf, textIn } from '../habits/read-json';
import { jsonText, mergePieces, providerFields } from './provider-extras';
import type { GivenCall } from './read-calls';

interface PartialCall {
  index: number | undefined;
  id: string;
  name: string;
  arguments: string;
  extras?: JsonObject;
}

function isWholeJson(text: string): boolean {
  if (!text.trimEnd().endsWith('}')) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Puts together the calls of a streamed reply. Not every server gives each call an index and an id of its own. */
export class StreamedCalls {
  readonly #calls: PartialCall[] = [];

  constructor(private readonly read: ReadBytes) {}

  #findContinued(index: number | undefined, id: string, name: string): PartialCall | undefined {
    const call =
      index === undefined && id !== ''
        ? this.#calls.find((each) => each.id === id)
        : this.#calls.findLast((each) => index === undefined || each.index === index);
    if (!call || (id !== '' && call.id !== '' && call.id !== id)) return undefined;
    if (id !== '' || name === '' || call.name === '') return call;
    // Without ids, a name after whole arguments begins the next call.
    const isNext = isWholeJson(call.arguments) || (index === undefined && name !== call.name);
    return isNext ? undefined : call;
  }

  /** @throws AnswerTooLarge */
  add(piece: unknown): void {
    const called = fieldOf(piece, 'function');
    const given = fieldOf(called, 'arguments') ?? '';
    const [index, id, name] = [countIn(piece, 'index'), textIn(piece, 'id'), textIn(called, 'name')];
    const text = typeof given === 'string' ? given : jsonText(given);
    const extras = providerFields(piece, 'call');
    this.read.add(id, name, text, extras ? jsonText(extras) : '');
    let call = this.#findContinued(index, id, name);
    if (!call) {
      call = { index, id: '', name: '', arguments: '' };
      this.#calls.push(call);
      assertFewCalls(this.#calls.length);
    }
    call.id ||= id;
    // Some repeat the whole name with each piece.
    if (name !== call.name) call.name += name;
    call.arguments = typeof given === 'string' ? call.arguments + text : text;
    if (extras) call.extras = mergePieces(call.extras as Json | undefined, extras) as JsonObject;
  }

  all(): GivenCall[] {
    return this.#calls;
  }
}
