import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { CommandName } from '../../src/loop/base/command-payloads';
import type { ReflectionResult } from '../../src/loop/contract/results';
import type { Barrier } from './barriers';
import type { Caller } from './caller';
import type { Stall } from './stalls';

/** Everything that a torture run saw, as it is saved and checked. Times are epoch milliseconds of one machine's clock. */
export interface TortureRecord {
  seed: number;
  loops: LoopRecord[];
  commands: CommandRecord[];
  kills: KillRecord[];
  sends: SendRecord[];
  /** What was asked about responses that are made in the background. */
  asked: AskedRecord[];
  /** The ids of responses that the server had from heartbeats. */
  noted: NotedRecord[];
  /** Times in which a process got nothing done: a busy machine looks like a dead worker. */
  stalls: StallRecord[];
  /** What the server says happened, one for each workflow id. */
  chains: ChainRecord[];
  /** Results of the same loops where nothing was killed, by loop. */
  faultFree: Record<string, ReflectionResult>;
}

export interface LoopRecord {
  loop: string;
  workflowId: string;
  /** Absent when nobody knows whether the start was taken. */
  acknowledgedAt?: number;
  /** People steer it, so its result depends on when. */
  steered: boolean;
}

/** One attempt to send a command. */
export interface CommandRecord {
  id: string;
  name: CommandName;
  via: 'signal' | 'update';
  workflowId: string;
  sentAt: number;
  /** `unknown`: the connection broke. */
  answer: 'acknowledged' | 'refused' | 'unknown';
  why?: string;
}

export interface KillRecord {
  what: 'worker' | 'server' | 'storage';
  /** Absent for the server. */
  worker?: string;
  barrier?: Barrier;
  at: number;
  /** When it was gone; later than `at` only for a worker that was told to drain. */
  until: number;
}

export interface StallRecord extends Stall {
  /** `runner`: the process that the provider, the network and the checker run in. */
  what: 'worker' | 'server' | 'runner';
  /** Of a worker. */
  worker?: string;
}

/** An id that the server was seen to have for an activity, and when for the first time. */
export interface NotedRecord {
  runId: string;
  activityId: string;
  response: string;
  at: number;
}

/** A question about a response. */
export interface AskedRecord extends Caller {
  at: number;
  response: string;
  kind: 'fetched' | 'cancelled';
  /** Of the response then, such as `in_progress`; absent for one that was not known. */
  state?: string;
}

/** A request that reached the provider. */
export interface SendRecord extends Caller {
  request: number;
  at: number;
  /** What was asked for; the same call has the same name. */
  call: string;
  /** False for actions, whose costs are not the loop's. */
  counted: boolean;
  answeredAt?: number;
  /** Id of the response that it began in the background; absent for calls that are waited for. */
  response?: string;
  usage?: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
}

export interface ChainRecord {
  workflowId: string;
  runs: RunRecord[];
}

export interface RunRecord {
  runId: string;
  /** The run before it in its chain. */
  continued?: string;
  activities: ActivityRecord[];
  arrivals: ArrivalRecord[];
  /** Absent while it runs. */
  end?: { kind: RunEnd; eventId: number; at: number; result?: ReflectionResult; message?: string };
}

export type RunEnd = 'completed' | 'failed' | 'cancelled' | 'terminated' | 'timedOut' | 'continuedAsNew';

export interface ActivityRecord {
  activityId: string;
  type: string;
  iteration: number;
  /** Of the attempt that was recorded last. */
  attempt?: number;
  outcome?: 'completed' | 'failed' | 'timedOut' | 'cancelled';
  /** Of the outcome. */
  eventId?: number;
  at?: number;
}

/** A command in a history. */
export interface ArrivalRecord {
  id: string;
  name: string;
  via: 'signal' | 'update';
  eventId: number;
  at: number;
}

/** Saves a record as one JSON file. */
export function writeRecord(file: string, record: TortureRecord): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(record));
}

/** Reads a saved record. */
export function readRecord(file: string): TortureRecord {
  return JSON.parse(readFileSync(file, 'utf8')) as TortureRecord;
}
