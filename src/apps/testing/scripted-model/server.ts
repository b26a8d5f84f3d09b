import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ScriptExhaustedError, ScriptUnusedError } from '../errors';
import { answerOf, sendHalf, streamEvents, wholeBody } from './answers';
import { embeddingAnswer, readEmbeddingBody } from './embeddings';
import { refusalOf, type ServerHabits, withWrittenCalls } from './habits';
import { appendToLedger } from './ledger';
import { headersOf, readBody, waitFor } from './requests';
import type { LedgerEntry, Script, ScriptEntry } from './script';
import { BackgroundResponses } from './responses';
import { ScriptReader } from './script-reader';

export interface ScriptedServerOptions {
  script: Script;
  /** Default: a free one. */
  port?: number;
  /** Whether it makes responses in the background, or how it says that it does not. Default 404. */
  responses?: 'background' | 404 | 405 | 501;
  /** How it differs from OpenAI's own endpoint. Default: in nothing. */
  habits?: ServerHabits;
  /** The models that it lists. Default: one that is named `scripted`. */
  models?: readonly string[];
  /** Called with each new entry of the ledger. */
  onEntry?: (entry: LedgerEntry) => void;
  /** Requests and answers are appended to this file, as they happen. */
  ledgerFile?: string;
  /** Whether the ledger holds the header `authorization`. Default: no, for a worker sends the key of its environment. */
  keepAuthorization?: boolean;
}

type Body = NonNullable<LedgerEntry['body']>;

const KEEP_ALIVE_MS = 60_000;

/** A server that speaks the OpenAI protocol over real HTTP and says what its script says. */
export class ScriptedOpenAI {
  /** The events so far; the same as in the ledger file. */
  readonly ledger: LedgerEntry[] = [];
  #reader: ScriptReader;
  readonly #options: ScriptedServerOptions;
  readonly #server: Server;
  /** The responses that it makes in the background. */
  readonly responses = new BackgroundResponses();
  #count = 0;
  #exhausted: string[] = [];
  readonly #broken = new WeakSet<ServerResponse>();

  private constructor(options: ScriptedServerOptions) {
    this.#options = options;
    this.#reader = new ScriptReader(options.script);
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch((error: unknown) => {
        // A problem in the script itself must fail the test, and must not look like an outage that is tried again.
        this.#exhausted.push(String(error));
        if (response.headersSent) response.destroy();
        else response.writeHead(400).end(JSON.stringify({ error: { message: String(error), code: 'script_failed' } }));
      });
    });
    // On a busy machine a client sends over a connection that has just been closed as idle.
    this.#server.keepAliveTimeout = KEEP_ALIVE_MS;
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

  get #habits(): ServerHabits {
    return this.#options.habits ?? {};
  }

  /** The value for `OPENAI_BASE_URL`. */
  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  /** Replaces the script, and forgets which requests the one before had no answer for. The ledger goes on. */
  play(script: Script): void {
    this.#reader = new ScriptReader(script);
    this.#exhausted = [];
  }

  /**
   * @throws ScriptExhaustedError if a request arrived that the script had no answer for, ScriptUnusedError if answers are left
   */
  assertDone(): void {
    this.assertAnswered();
    const unused = this.#reader.findUnused();
    if (unused.length > 0) throw new ScriptUnusedError(unused);
  }

  /** @throws ScriptExhaustedError if a request arrived that the script had no answer for */
  assertAnswered(): void {
    if (this.#exhausted.length > 0) throw new ScriptExhaustedError(this.#exhausted);
  }

  /** Stops the server. Throws as `assertAnswered` does. */
  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    this.assertAnswered();
  }

  #note(entry: Omit<LedgerEntry, 'at'>): void {
    const line = { at: Date.now(), ...entry };
    this.ledger.push(line);
    appendToLedger(this.#options.ledgerFile, line);
    this.#options.onEntry?.(line);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    try {
      for await (const piece of request) pieces.push(piece as Buffer);
    } catch (error) {
      // The client was killed, or gave up, while a large body was on its way: it is not a request.
      if (request.complete) throw error;
      return;
    }
    const text = Buffer.concat(pieces).toString('utf8');
    const path = request.url ?? '';
    response.setHeader('x-scripted', 'true');
    if (path.endsWith('/models')) {
      response.setHeader('content-type', 'application/json');
      const { models = ['scripted'] } = this.#options;
      const data = models.map((id) => ({ id, object: 'model', created: 0, owned_by: 'script' }));
      response.end(JSON.stringify({ object: 'list', data }));
      return;
    }
    this.#count += 1;
    const number = this.#count;
    response.setHeader('x-request-id', `req_scripted_${number}`);
    const about = /\/responses\/([^/?]+)(\/cancel)?/.exec(path);
    const { authorization, 'x-caller': caller } = request.headers;
    if (about) {
      const asked = { id: about[1]!, isCancel: about[2] !== undefined };
      return this.#answerAbout(number, { ...asked, ...(typeof caller === 'string' ? { caller } : {}) }, response);
    }
    const asksVectors = path.endsWith('/embeddings');
    const body = asksVectors ? readEmbeddingBody(text) : readBody(text);
    this.#note({
      request: number,
      kind: 'request',
      path,
      ...(body && { body }),
      ...(authorization && this.#options.keepAuthorization ? { authorization } : {}),
      ...(typeof caller === 'string' ? { caller } : {}),
    });
    response.on('close', () => {
      if (!response.writableEnded)
        this.#note({ request: number, kind: 'closed', by: this.#broken.has(response) ? 'script' : 'client' });
    });
    const inBackground = path.endsWith('/responses');
    const { responses = 404 } = this.#options;
    if (inBackground && responses !== 'background')
      return this.#fail(number, response, responses, { message: 'there are no responses here' });
    if (!inBackground && !asksVectors && !/\/chat\/completions(\?|$)/.test(path))
      return this.#fail(number, response, 404, { message: `unknown path ${path}` });
    if (!body) return this.#fail(number, response, 400, { message: 'the body is no JSON with messages' });
    const refused = asksVectors ? undefined : refusalOf(this.#habits, body);
    if (refused) return this.#fail(number, response, refused.status, {}, refused.body);
    const last = body.messages.at(-1)?.content ?? '';
    const earlier = () => this.ledger.filter((entry) => entry.request < number);
    const entry = this.#reader.next(Object.defineProperty({ text, body, last }, 'earlier', { get: earlier }));
    if (inBackground && entry && !('status' in entry)) return this.#begin(number, body, entry, response);
    if (entry?.delayMs) await waitFor(entry.delayMs, response);
    if (response.destroyed) return undefined;
    if (asksVectors && entry && !('status' in entry || 'fault' in entry))
      return this.#sendVectors(number, body, entry, response);
    return this.#answer(number, body, entry, response, text);
  }

  #sendVectors(number: number, body: Body, entry: ScriptEntry, response: ServerResponse): void {
    const { body: text, tokens } = embeddingAnswer(entry, body);
    const usage = { prompt_tokens: tokens, completion_tokens: 0, total_tokens: tokens };
    this.#note({ request: number, kind: 'answer', status: 200, paid: true, usage });
    response.setHeader('content-type', 'application/json');
    response.end(text);
  }

  #begin(number: number, body: Body, entry: ScriptEntry, response: ServerResponse): void {
    if ('fault' in entry && entry.fault === 'reset') {
      this.#broken.add(response);
      response.socket?.resetAndDestroy();
      return;
    }
    const answer = answerOf(entry, body);
    const { id, body: text } = this.responses.begin(entry, answer, this.#habits.responses);
    const paid = !('failed' in entry);
    const reply = answer.content ?? answer.refusal ?? '';
    this.#note({
      request: number,
      kind: 'answer',
      status: 200,
      paid,
      response: id,
      reply,
      ...(answer.usage && { usage: answer.usage }),
    });
    response.setHeader('content-type', 'application/json');
    response.end(text);
  }

  #answerAbout(
    number: number,
    { id, isCancel, ...who }: { id: string; isCancel: boolean; caller?: string },
    response: ServerResponse,
  ): void {
    const kind = isCancel ? 'cancelled' : 'fetched';
    const known = isCancel ? this.responses.cancel(id) : this.responses.get(id);
    if (known === undefined || known === 'unavailable') {
      const status = known ? 503 : 404;
      this.#note({ request: number, kind, response: id, status, ...who });
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: `scripted ${status}` } }));
      return;
    }
    const body = typeof known === 'string' ? known : known.body;
    const { status: state } = JSON.parse(body) as { status: string };
    this.#note({ request: number, kind, response: id, status: 200, state, ...who });
    response.setHeader('content-type', 'application/json');
    response.end(body);
  }

  async #answer(
    number: number,
    body: Body,
    entry: ScriptEntry | undefined,
    response: ServerResponse,
    text: string,
  ): Promise<void> {
    if (!entry) {
      this.#exhausted.push(text);
      return this.#fail(number, response, 400, {
        message: 'the script has no answer for this request',
        code: 'script_exhausted',
      });
    }
    if ('status' in entry) {
      for (const [name, value] of Object.entries(headersOf(entry))) response.setHeader(name, value);
      return this.#fail(
        number,
        response,
        entry.status,
        { message: `scripted ${entry.status}`, ...entry.error },
        entry.body,
      );
    }
    if ('fault' in entry && entry.fault === 'hang') return undefined;
    if ('fault' in entry && entry.fault === 'reset') {
      this.#broken.add(response);
      response.socket?.resetAndDestroy();
      return undefined;
    }
    const habits = this.#habits;
    const answer = withWrittenCalls(answerOf(entry, body), habits);
    response.setHeader('content-type', body.stream ? 'text/event-stream' : 'application/json');
    const wantsUsage = body.stream_options?.include_usage === true;
    const wire = body.stream ? streamEvents(answer, wantsUsage, habits) : [wholeBody(answer, habits)];
    if ('fault' in entry) {
      const clean = entry.fault === 'truncate' && entry.clean === true;
      if (!body.stream && !clean) response.setHeader('content-length', Buffer.byteLength(wire[0]!));
      if (entry.fault === 'truncate' && !clean) this.#broken.add(response);
      sendHalf(response, wire.join(''), entry.fault === 'stall' ? 'stall' : clean ? 'end' : 'break');
      return undefined;
    }
    const chunkDelayMs = 'chunkDelayMs' in entry ? entry.chunkDelayMs : undefined;
    for (const piece of wire.slice(0, -1)) {
      response.write(piece);
      if (chunkDelayMs) await waitFor(chunkDelayMs, response);
    }
    if (response.destroyed) return undefined;
    // Before the last byte: a client that has the whole answer must find it in the ledger, in another process too.
    const reply = answer.content ?? answer.refusal ?? '';
    this.#note({
      request: number,
      kind: 'answer',
      status: 200,
      paid: true,
      reply,
      ...(answer.usage && { usage: answer.usage }),
    });
    response.end(wire.at(-1));
    return undefined;
  }

  #fail(number: number, response: ServerResponse, status: number, error: Record<string, unknown>, page?: string): void {
    response.statusCode = status;
    if (!response.hasHeader('content-type')) response.setHeader('content-type', 'application/json');
    this.#note({ request: number, kind: 'answer', status, paid: false });
    response.end(page ?? JSON.stringify({ error }));
  }
}
