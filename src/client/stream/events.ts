import type { StreamedRole } from '../../contract/results/streamed-text';
import type { WaitingFor } from '../../contract/results/results';
import type { Json } from '../../domain/base/json/json';
import type { ConvergenceReason } from '../../domain/state/convergence';
import type { ReflectionVersion } from '../../domain/state/loop-state';

/** A piece of what a model writes. The pieces of a call, joined since its last `reset`, are its text. */
export interface TextEvent {
  type: 'text';
  /** Identifies the call. */
  call: string;
  /**
   * What the text is for: a `draft`, a whole new version (`revision`), `edits` of the version before, or `advice` for the
   * next draft.
   */
  role: StreamedRole;
  /** The iteration that the call works for, from 1. */
  iteration: number;
  /** The number of characters of the text before this piece. It is more than was told if the beginning of a long text was missed. */
  from: number;
  delta: string;
}

/** A call begins again, so what was told of its text counts no more: its worker died, it failed and is tried again, or its text was no reply yet. */
export interface ResetEvent {
  type: 'reset';
  call: string;
  iteration: number;
}

/** A version is written, and is not judged yet. Its output is what counts, whatever text was told. */
export interface VersionEvent {
  type: 'version';
  iteration: number;
  /** Absent: it was left out of the result for its size. */
  output?: Json;
}

/** A version was judged. */
export interface VerdictEvent {
  type: 'verdict';
  iteration: number;
  version: ReflectionVersion;
}

/** The run waits for a person. Told once for each wait. */
export interface WaitingEvent {
  type: 'waiting';
  waitingFor: WaitingFor;
}

/** The run has ended; no event follows. */
export interface EndedEvent {
  type: 'ended';
  status: 'completed' | 'failed';
  /** Of a loop that completed: whether a version passed. */
  success?: boolean;
  convergenceReason?: ConvergenceReason;
  iterationsUsed?: number;
  /** What the run handed back: the final output of a loop. */
  output?: Json;
  /** Why a run failed: the type and the message of the error that `result` throws. */
  failure?: { type: string; message: string };
}

/** What `stream` tells of a run. */
export type StreamEvent = (TextEvent | ResetEvent | VersionEvent | VerdictEvent | WaitingEvent | EndedEvent) & {
  /** Where the stream stands after this event: with it as `from`, another stream goes on from here. */
  position: string;
};

type WithoutPosition<Event> = Event extends unknown ? Omit<Event, 'position'> : never;

/** An event before anybody knows where the stream stands after it. */
export type Told = WithoutPosition<StreamEvent>;
