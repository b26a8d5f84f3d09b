import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerOf, sendHalf, streamEvents, wholeBody } from './answers';
import { appendToLedger } from './ledger';
import type { LedgerEntry, ScriptEntry } from './script';
import { ScriptReader } from './script-reader';

type Body = NonNullable<LedgerEntry['body']>;

/** Answers that are computed: the same request gets the same answer, however often and in whatever order it comes. */
export type Formula = (body: Body) => ScriptEntry;

export interface ScriptedServerOptions {
  script: readonly ScriptEntry[] | Formula;
  /** Default: a free one. */
  port?: number;
  /** Requests and answers are appended to this file, as they happen. */
  ledgerFile?: string;
  /** Called with each new entry of the ledger. */
  onEntry?: (entry: LedgerEntry) => void;
}

/** A server that speaks the OpenAI protocol over real HTTP and says what its script says. */
export class ScriptedOpenAI {
  /** What happened so far; the same as in the ledger file. */
  readonly ledger: LedgerEntry[] = [];
  readonly #reader: ScriptReader;
  readonly #options: ScriptedServerOptions;
  readonly #server: Server;
  #count = 0;
  #exhausted: string[] = [];

  private constructor(options: ScriptedServerOptions) {
    this.#options = options;
    const { script } = options;
    this.#reader = new ScriptReader(typeof script === 'function' ? [] : script);
    this.#server = createServer((request, response) => void this.#handle(request, response));
  }

  /** Starts a server on the loopback interface. */
  static async start(options: ScriptedServerOptions): Promise<ScriptedOpenAI> {
    const scripted = new ScriptedOpenAI(options);
    await new Promise<void>((resolve, reject) => {
      scripted.#server.once('error', reject);
      scripted.#server.listen(options.port ?? 0, '127.0.0.1', resolve);
    });
    return scripted;
  }

  /** What to put into `OPENAI_BASE_URL`. */
  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  /** Fails when a request came that the script had no answer for, or when answers are left over. */
  assertDone(): void {
    this.#assertNotExhausted();
    const unused = this.#reader.unused();
    if (unused.length > 0) throw new Error(`the script has ${unused.length} unused entries: ${JSON.stringify(unused)}`);
  }

  #assertNotExhausted(): void {
    if (this.#exhausted.length === 0) return;
    throw new Error(`the script ran out; it has no answer for: ${this.#exhausted[0]!.slice(0, 2_000)}`);
  }

  /** Stops the server. Fails when a request came that the script had no answer for. */
  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    this.#assertNotExhausted();
  }

  #note(entry: Omit<LedgerEntry, 'at'>): void {
    const line = { at: Date.now(), ...entry };
    this.ledger.push(line);
    this.#options.onEntry?.(line);
    appendToLedger(this.#options.ledgerFile, line);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const piece of request) text += String(piece);
    const path = request.url ?? '';
    if (path.endsWith('/models')) {
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({ object: 'list', data: [{ id: 'scripted', object: 'model', created: 0, owned_by: 'script' }] }),
      );
      return;
    }
    this.#count += 1;
    const number = this.#count;
    const body = JSON.parse(text) as Body;
    const { authorization, 'x-caller': caller } = request.headers;
    this.#note({
      request: number,
      kind: 'request',
      path,
      body,
      ...(authorization ? { authorization } : {}),
      ...(typeof caller === 'string' ? { caller } : {}),
    });
    response.on('close', () => {
      if (!response.writableEnded) this.#note({ request: number, kind: 'closed' });
    });
    const { script } = this.#options;
    const entry = typeof script === 'function' ? script(body) : this.#reader.next(text);
    if (entry?.delayMs) await new Promise((resolve) => setTimeout(resolve, entry.delayMs));
    if (!response.destroyed) this.#answer(number, body, entry, response, text);
  }

  #answer(number: number, body: Body, entry: ScriptEntry | undefined, response: ServerResponse, text: string): void {
    response.setHeader('x-scripted', 'true');
    if (!entry) {
      this.#exhausted.push(text);
      return this.#fail(number, response, 400, {
        message: 'the script has no answer for this request',
        code: 'script_exhausted',
      });
    }
    if ('status' in entry) {
      for (const [name, value] of Object.entries(entry.headers ?? {})) response.setHeader(name, value);
      return this.#fail(number, response, entry.status, { message: `scripted ${entry.status}`, ...entry.error });
    }
    if ('fault' in entry && entry.fault === 'hang') return undefined;
    if ('fault' in entry && entry.fault === 'reset') {
      response.socket?.resetAndDestroy();
      return undefined;
    }
    const answer = answerOf(entry, body);
    response.setHeader('content-type', body.stream ? 'text/event-stream' : 'application/json');
    const wire = body.stream ? streamEvents(answer) : [wholeBody(answer)];
    if ('fault' in entry) {
      if (body.stream) sendHalf(response, wire.join(''));
      else {
        response.setHeader('content-length', wire[0]!.length);
        sendHalf(response, wire[0]!);
      }
      return undefined;
    }
    for (const piece of wire) response.write(piece);
    response.end(() => {
      const reply = answer.content ?? answer.refusal ?? '';
      this.#note({ request: number, kind: 'answer', status: 200, paid: true, reply, usage: answer.usage });
    });
    return undefined;
  }

  #fail(number: number, response: ServerResponse, status: number, error: Record<string, unknown>): void {
    response.statusCode = status;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ error }));
    this.#note({ request: number, kind: 'answer', status, paid: false });
  }
}
