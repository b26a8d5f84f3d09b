import { isJsonObject } from '../../../lib/json/json';
import type { UnlinkedWait } from '../../../loop/page/wait-notice';

const MOST_WAITS = 50;

/** The waits of the items of a batch that no message was sent about yet. */
export interface BatchWaits {
  listed: UnlinkedWait[];
  more: number;
}

export interface WaitsMessage extends BatchWaits {
  since: number;
  /** Distinguishes messages of the same moment. */
  number: number;
}

/** The part of the state of a batch that is about waits; empty while no item waits. */
export interface BatchWaitsState {
  waits?: BatchWaits;
  message?: WaitsMessage;
}

/** Whether a value is the notice of a wait: signals may carry anything. */
export function isWait(value: unknown): value is UnlinkedWait {
  if (!isJsonObject(value)) return false;
  const { id, workflowId, until, text } = value;
  return (
    [id, workflowId, until].every((each) => typeof each === 'string') && (text === undefined || isJsonObject(text))
  );
}

export function addWait(state: BatchWaitsState, wait: UnlinkedWait): void {
  const { listed, more } = state.waits ?? { listed: [], more: 0 };
  const isFull = listed.length >= MOST_WAITS;
  state.waits = isFull ? { listed, more: more + 1 } : { listed: [...listed, wait], more };
}

/** Begins a message about the waits so far, unless one is being sent. */
export function beginMessage(
  state: BatchWaitsState,
  begun: Pick<WaitsMessage, 'since' | 'number'>,
): WaitsMessage | undefined {
  if (!state.message && state.waits) {
    state.message = { ...state.waits, ...begun };
    delete state.waits;
  }
  return state.message;
}

export function endMessage(state: BatchWaitsState): void {
  delete state.message;
}
