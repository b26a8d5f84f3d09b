/** One scripted answer. Output that came from a script says so: in a header, and in `system_fingerprint`. */
export type ScriptEntry = {
  /** Only for requests whose JSON text this regular expression matches; entries without it fit every request. */
  match?: string;
  /** Answer as many requests as come; by default an entry is used once. `times: 3` answers three. */
  times?: number | 'always';
  /** Milliseconds before anything is sent. */
  delayMs?: number;
  /** Only until so many milliseconds after the first request that it fits. */
  forMs?: number;
} & (
  | {
      reply: unknown;
      finishReason?: 'stop' | 'length' | 'content_filter';
      usage?: { prompt: number; completion: number };
    }
  | { refusal: string }
  | { status: number; headers?: Record<string, string>; error?: { message?: string; code?: string; type?: string } }
  /** The connection is reset before an answer. */
  | { fault: 'reset' }
  /** The body, or the stream, ends in the middle. */
  | { fault: 'truncate'; reply: unknown }
  /** Never answers. The ledger says when the client gave up. */
  | { fault: 'hang' }
);

/** A line of the ledger: what came in, what went out, and what clients hung up on. `at` is epoch milliseconds. */
export interface LedgerEntry {
  at: number;
  /** Number of the request, from 1; the same for its answer. */
  request: number;
  kind: 'request' | 'answer' | 'closed';
  path?: string;
  body?: {
    model: string;
    messages: { role: string; content: string }[];
    stream?: boolean;
    response_format?: unknown;
    max_completion_tokens?: number;
    temperature?: number;
  };
  authorization?: string;
  /** What a test's worker says about itself in the header `x-caller`. */
  caller?: string;
  status?: number;
  /** True for an answer that was sent whole with status 200: it was paid for. */
  paid?: boolean;
  reply?: string;
  usage?: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
}
