import type { Json } from './json';

/** What a person (or a program for them) sent to a run, and what became of it. */
export interface PersonEntry {
  name: string;
  payload: Json;
  by?: string;
  /** ISO 8601. */
  at: string;
  via: 'signal' | 'update';
  applied: boolean;
  /** Why it was refused. */
  why?: string;
}
