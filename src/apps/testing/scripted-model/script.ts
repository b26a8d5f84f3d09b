/** A regular expression, or its source. */
export type Pattern = string | RegExp;

/** A request as a predicate, or a script that is a function, sees it. */
export interface ScriptedRequest {
  /** The body as JSON text. */
  text: string;
  body: NonNullable<LedgerEntry['body']>;
  /** Content of the last message. */
  last: string;
  /** The requests and answers before it, of all that the server was asked. Not in its JSON text. */
  earlier?: readonly LedgerEntry[];
}

/** A pattern alone looks at the request's whole JSON text; JSON scripts have the forms without functions. */
export type Match =
  Pattern | { last?: Pattern; model?: Pattern; text?: Pattern } | ((request: ScriptedRequest) => boolean);

/** Entries, or a function that is called for each request (index from 0); undefined means that it has no answer left. */
export type Script = readonly ScriptEntry[] | ((request: ScriptedRequest, index: number) => ScriptEntry | undefined);

/** One scripted answer. Scripted output is marked as such: in a header, and in `system_fingerprint`. */
export type ScriptEntry = {
  /** Only for requests that this matches; entries without it fit every request. */
  match?: Match;
  /** Answer as many requests as come; by default an entry is used once. `times: 3` answers three. */
  times?: number | 'always';
  /** Milliseconds before anything is sent. */
  delayMs?: number;
  /** Only until so many milliseconds after the first request that it fits. */
  forMs?: number;
} &
  /** `usage: false`: the provider reports none. */
  (
    | {
        /** A text, a value that is sent as JSON, or a function that makes either of the request. */
        reply: unknown;
        finishReason?: 'stop' | 'length' | 'content_filter';
        usage?: { prompt: number; completion: number } | false;
        /** Between two events of a stream. */
        chunkDelayMs?: number;
        /** In the background: so many questions for it are answered with 503 first. */
        failPolls?: number;
        /** True: a judge's reply without the requested code is sent without it. By default the code is added. */
        asWritten?: boolean;
      }
    | { refusal: string }
    /** To a request of `/embeddings`: a vector for each of its texts, in their order. */
    | { vectors: number[][] }
    /** The model asks for these, beside what it says. Arguments that are a text are sent as they are. */
    | { toolCalls: { name: string; arguments: unknown }[]; text?: string }
    | {
        status: number;
        headers?: Record<string, string>;
        /** Header Retry-After as an HTTP date this far ahead, rounded up to the second. */
        retryAfterDateMs?: number;
        error?: { message?: string; code?: string; type?: string };
        /** Sent as it is instead of an error, for example a gateway's page. */
        body?: string;
      }
    /** In the background: it is begun, and then fails. Not paid for. */
    | { failed: { code: string; message: string } }
    /** The connection is reset before an answer. */
    | { fault: 'reset' }
    /** The body, or the stream, ends in the middle: by a broken connection, or `clean`, as if that were all. */
    | { fault: 'truncate'; reply: unknown; clean?: boolean }
    /** The body, or the stream, stops in the middle and the connection stays open. */
    | { fault: 'stall'; reply: unknown }
    /** Never answers. The ledger says when the client gave up. In the background it stays under way. */
    | { fault: 'hang' }
  );

/** Creates an outage: this entry for every request that it fits, until so many milliseconds after the first of them. */
export function failUntil(ms: number, entry: ScriptEntry): ScriptEntry {
  return { ...entry, forMs: ms };
}

/**
 * Creates an outage that begins with the first request that this matches; from then on everything fails, for so many
 * milliseconds.
 */
export function outageFrom(
  match: RegExp,
  ms: number,
  entry: ScriptEntry,
  otherwise: (text: string) => ScriptEntry,
): Script {
  let downSince: number | undefined;
  return ({ text }) => {
    if (match.test(text)) downSince ??= Date.now();
    return downSince !== undefined && Date.now() < downSince + ms ? entry : otherwise(text);
  };
}

/** A line of the ledger: a request, an answer, or a connection that a client closed. `at` is epoch milliseconds. */
export interface LedgerEntry {
  at: number;
  /** Number of the request, from 1; the same for its answer. */
  request: number;
  /** `fetched`, `cancelled`: what was asked about a response that is made in the background. */
  kind: 'request' | 'answer' | 'closed' | 'fetched' | 'cancelled';
  path?: string;
  body?: {
    model: string;
    messages: { role: string; content: string; tool_calls?: unknown; tool_call_id?: string }[];
    stream?: boolean;
    stream_options?: { include_usage?: boolean };
    response_format?: unknown;
    tools?: { type: string; function: { name: string; description?: string; parameters?: unknown } }[];
    tool_choice?: unknown;
    max_completion_tokens?: number;
    max_tokens?: number;
    max_output_tokens?: number;
    background?: boolean;
    store?: boolean;
    text?: unknown;
    temperature?: number;
    seed?: number;
  };
  /** The header, if the server was started to keep it. */
  authorization?: string;
  /** The value of the header `x-caller`, by which a test's worker names itself. */
  caller?: string;
  status?: number;
  /** True for an answer that was sent whole with status 200, and for a response that was begun: it was paid for. */
  paid?: boolean;
  reply?: string;
  usage?: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
  /** Id of a response that is made in the background. */
  response?: string;
  /** Status of that response, or of the answer about it, such as `in_progress`. */
  state?: string;
  /** The side that ended a connection before its answer was whole. */
  by?: 'client' | 'script';
}
