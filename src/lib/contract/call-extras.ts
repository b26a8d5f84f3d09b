import type { JsonObject } from '../json/json';

/** The fields that a provider put beside a call, or beside its text, and wants back: signatures of thoughts, reasoning. */
export interface CallExtras {
  /** The model that gets them back; no other one understands them. */
  by: string;
  call?: JsonObject;
  /** The fields beside the text of the turn; only on its first call. */
  turn?: JsonObject;
}
