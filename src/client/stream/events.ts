import type { StreamedRole } from '../../loop/contract/streamed-text';
import type { WaitingFor } from '../../loop/contract/waiting';
import type { Json } from '../../lib/json/json';
import type { ConvergenceReason } from '../../loop/base/convergence';
import type { ReflectionVersion } from '../../loop/state/loop-state';

/** A piece of what a model writes. The pieces of a call, joined since its last `reset`, are its text. */
export interface TextEvent {
  type: 'text';
  /** Identifies the call. */
  call: string;
  /**
   * The purpose of the text: a `draft`, a whole new version (`revision`), `edits` of the version before, or `advice` for the
   * next draft.
   */
  role: StreamedRole;
  /** The iteration that the call works for, from 1. */
  iteration: number;
  /**
   * The number of characters of the text before this piece. It is more than was reported if the beginning of a long text was
   * missed.
   */
  from: number;
  delta: string;
}

/**
 * A call begins again, so the text of it that was reported counts no more: its worker died, it failed and is tried again, or
 * its text was not a reply yet.
 */
export interface ResetEvent {
  type: 'reset';
  call: string;
  iteration: number;
}

/** A version is written, and is not judged yet. Its output is what counts, whatever text was reported. */
export interface VersionEvent {
  type: 'version';
  iteration: number;
  /** The output; left out if it was left out of the result for its size. */
  output?: Json;
}

/** A version was judged. */
export interface VerdictEvent {
  type: 'verdict';
  iteration: number;
  version: ReflectionVersion;
}

/** The run waits for a person. Reported once for each wait. */
export interface WaitingEvent {
  type: 'waiting';
  waitingFor: WaitingFor;
}

/** The run has ended; no event follows. */
export interface EndedEvent {
  type: 'ended';
  status: 'completed' | 'failed';
  /** Whether a version passed, for a loop that completed. */
  success?: boolean;
  convergenceReason?: ConvergenceReason;
  iterationsUsed?: number;
  /** The result of the run: the final output of a loop. */
  output?: Json;
  /** Why a run failed: the type and the message of the error that `result` throws. */
  failure?: { type: string; message: string };
}

/** An event of a run that `stream` reports. */
export type StreamEvent = (TextEvent | ResetEvent | VersionEvent | VerdictEvent | WaitingEvent | EndedEvent) & {
  /** The position of the stream after this event: with it as `from`, another stream goes on from here. */
  position: string;
};

type WithoutPosition<Event> = Event extends unknown ? Omit<Event, 'position'> : never;

/** An event without the position of the stream after it, which is not known yet. */
export type EventWithoutPosition = WithoutPosition<StreamEvent>;
