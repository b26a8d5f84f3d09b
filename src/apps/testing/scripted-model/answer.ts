import type { LedgerEntry } from './script';

/** The contents of an answer, before it is put on the wire. */
export interface Answer {
  model: string;
  content: string | null;
  refusal: string | null;
  toolCalls: { id: string; type: 'function'; function: { name: string; arguments: string } }[];
  finishReason: string;
  /** Undefined: the provider reports none. */
  usage: LedgerEntry['usage'];
}
