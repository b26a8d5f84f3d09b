import type { JsonObject } from '../../lib/json/json';
import type { ToolCall } from '../../lib/models/types';
import type { ToolResult, Turn } from './model-reply';

export interface PersonAnswer {
  decision: 'answered' | 'approved' | 'changed' | 'refused';
  text?: string;
  /** The arguments with which a call is made instead. */
  arguments?: JsonObject;
  reason?: string;
  by?: string;
  /** ISO 8601. */
  at: string;
}

/** The arguments of a call after `input` of its action. */
export interface ParsedArguments {
  digest: string;
  /** The arguments as JSON, without secrets that the model did not write; undefined if they equal those of the call. */
  shown?: string;
}

/** A question to a person, or a call that waits for the approval of one. */
export interface OpenWait {
  /** Unique in the chain of runs. */
  id: string;
  kind: 'question' | 'approval';
  /** Index of its call among the calls of the reply. */
  call: number;
  /** The arguments of its call without secrets, for records, where the worker that checked the call found any. */
  safeArguments?: string;
  /** The arguments that a person approves. */
  parsed?: ParsedArguments;
  /** The arguments of a person, which `input` changed, so that they wait once more. */
  changed?: JsonObject;
  question?: string;
  options?: string[];
  /** Why a changed or approved call waits again. */
  problem?: string;
  answer?: PersonAnswer;
}

export interface WaitRecord {
  /** Epoch milliseconds of the beginning of the wait. */
  since: number;
  /** Distinguishes waits that begin at the same moment. */
  number: number;
  began?: true;
  reminder?: true;
  hook?: true;
}

/** A step whose model asked a person, or called what needs approval: the conversation so far, and what it waits for. */
export interface ParkedStep {
  iteration: number;
  /** The turns before the latest reply. */
  turns: Turn[];
  steps: number;
  /** The step failed once, and its model was informed of that. */
  recovered?: true;
  said: string;
  toolCalls: ToolCall[];
  /** The results of the calls, by index; null for calls that wait. */
  results: (ToolResult | null)[];
  waits: OpenWait[];
  /** Epoch milliseconds. */
  since: number;
  /** Epoch milliseconds. */
  until: number;
  /** Undefined if no notification of the wait is sent. */
  notice?: WaitRecord;
}
