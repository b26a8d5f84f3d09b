import type { Holds } from '../limits/holds';
import type { AllowedHosts } from '../base/allowed-hosts';

/** A program that specs may name. Only the owner of the worker defines it. */
export interface ExternalCommand {
  /** Path of the program, or a name that is looked up in the worker's `PATH`. There is no shell. */
  command: string;
  args?: readonly string[];
  /**
   * Environment variables in addition to `PATH`, `HOME`, `LANG` and `TZ`. The program gets no other variables of the
   * worker.
   */
  env?: Readonly<Record<string, string>>;
  /** The working directory. Default: the folder for temporary files. */
  cwd?: string;
}

/** Looks up a name; for tests. */
export type Resolver = (hostname: string) => Promise<{ address: string; family: number }[]>;

/** The external calls that a worker lets evaluators make. */
export interface ExternalCalls {
  /** Whether they may call addresses that are not public: loopback, private, link-local. Default false. */
  allowPrivateAddresses?: boolean;
  /** The hosts that may be called: `judge.example.com`, `*.example.com`, with a port to allow only that one. Default: all. */
  hosts?: AllowedHosts;
  commands?: Readonly<Record<string, ExternalCommand>>;
  resolve?: Resolver;
  /** The endpoints that are left alone, for all calls of the worker. */
  holds?: Holds;
}

export const CALLS_ARE_OFF =
  'is refused: this worker makes no external calls (`externalCalls: false` or REFLECT_EXTERNAL_CALLS=off)';

/** An external evaluator could not be asked, or gave no answer that can be read. */
export class ExternalCallFailed extends Error {
  override name = 'ExternalCallFailed';

  constructor(
    message: string,
    /** Whether the fault is the service's own: asked again, it would fail the same way. */
    readonly isFault = false,
  ) {
    super(message);
  }
}

/** Thrown when the service is away; trying again can help. */
export class ExternalUnavailable extends Error {
  override name = 'ExternalUnavailable';

  constructor(
    message: string,
    /** The delay that the service requested, in milliseconds. */
    readonly retryAfterMs?: number | undefined,
  ) {
    super(message);
  }
}
