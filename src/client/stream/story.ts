import type { StreamedText } from '../../loop/contract/streamed-text';
import type { Json } from '../../lib/json/json';
import type { WaitingFor } from '../../loop/contract/waiting';
import type { ReflectionVersion } from '../../loop/state/loop-state';
import type { StreamEvent, EventWithoutPosition } from './events';
import { type Position, renderPosition, type TextPosition } from './position';

export interface PendingCall {
  call: string;
  attempt: number;
  /** The text that its last heartbeat had, which may be of an earlier attempt. */
  text?: StreamedText;
}

interface Shown extends TextPosition {
  /** The text that was reported since the last reset; undefined if an earlier stream reported the beginning, or none did. */
  text?: string;
}

/** Reports new events, in order, and remembers how far it has reported. */
export class Story {
  readonly #calls = new Map<string, Shown>();
  readonly #position: Position;
  #wait: string | undefined;

  constructor(from: Position) {
    const { text, ...position } = from;
    this.#position = position;
    if (text) this.#show(text);
  }

  get judged(): number {
    return this.#position.judged;
  }

  withPosition(event: EventWithoutPosition): StreamEvent {
    return { ...event, position: renderPosition(this.#position) };
  }

  *reportCalls(pending: readonly PendingCall[]): Generator<StreamEvent> {
    for (const { call, attempt, text } of pending) {
      const shown = this.#calls.get(call);
      // What the last attempt wrote is lost, though the server still has it.
      const isStale = text !== undefined && Number.parseInt(text.take, 10) < attempt;
      const take = text === undefined || isStale ? `${attempt}.0` : text.take;
      if (shown && shown.take !== take) yield* this.#reset(shown, take);
      if (text === undefined || isStale || text.iteration <= this.#position.written) continue;
      yield* this.#text(call, text);
    }
  }

  *reportVersion(iteration: number, output: Json | undefined): Generator<StreamEvent> {
    if (iteration <= this.#position.written) return;
    if (typeof output === 'string') yield* this.#rest(iteration, output);
    this.#position.written = iteration;
    for (const [call, shown] of this.#calls) if (shown.iteration <= iteration) this.#calls.delete(call);
    delete this.#position.text;
    yield this.withPosition({ type: 'version', iteration, ...(output === undefined ? {} : { output }) });
  }

  *reportVerdict(version: ReflectionVersion): Generator<StreamEvent> {
    const { iteration, output, omittedBytes } = version;
    if (iteration <= this.#position.judged) return;
    yield* this.reportVersion(iteration, omittedBytes === undefined ? output : undefined);
    this.#position.judged = iteration;
    yield this.withPosition({ type: 'verdict', iteration, version });
  }

  *reportWait(waitingFor: WaitingFor | undefined): Generator<StreamEvent> {
    const wait = waitingFor && JSON.stringify(waitingFor);
    if (waitingFor && wait !== this.#wait) yield this.withPosition({ type: 'waiting', waitingFor });
    this.#wait = wait;
  }

  #show(shown: Shown): void {
    const { text: _text, ...told } = shown;
    this.#calls.set(shown.call, shown);
    this.#position.text = told;
  }

  *#reset(shown: Shown, take: string): Generator<StreamEvent> {
    const { call, iteration, length } = shown;
    this.#show({ ...shown, take, length: 0, text: '' });
    if (length > 0) yield this.withPosition({ type: 'reset', call, iteration });
  }

  *#text(call: string, { take, role, iteration, from, text }: StreamedText): Generator<StreamEvent> {
    const shown: Shown = this.#calls.get(call) ?? { call, take, length: 0, role, iteration, text: '' };
    const start = Math.max(from, shown.length);
    const delta = text.slice(start - from);
    const { text: known, ...told } = shown;
    const isWhole = known !== undefined && start === shown.length;
    this.#show({ ...told, length: start + delta.length, ...(isWhole && { text: known + delta }) });
    if (delta !== '') yield this.withPosition({ type: 'text', call, role, iteration, from: start, delta });
  }

  /** Reports the text that was written after the last heartbeat of a call: all of it, if there was no heartbeat. */
  *#rest(iteration: number, output: string): Generator<StreamEvent> {
    const role = iteration === 1 ? 'draft' : 'revision';
    const without: Shown = { call: `version-${iteration}`, take: '1.0', length: 0, role, iteration, text: '' };
    const shown = [...this.#calls.values()].findLast((each) => each.iteration === iteration) ?? without;
    if (shown.role === 'edits' || shown.role === 'advice') return;
    const goesOn = shown.text === undefined ? output.length >= shown.length : output.startsWith(shown.text);
    if (!goesOn) yield* this.#reset(shown, shown.take);
    const { call, take } = shown;
    yield* this.#text(call, { take, role: shown.role, iteration, from: 0, text: output });
  }
}
