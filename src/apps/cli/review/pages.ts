import { NoAnswerError } from '../../../loop/errors/call-errors';
import { CommandRefusedError, RunNotFoundError } from '../../../loop/errors/errors';
import { type CommandName, WHO_CHARACTERS } from '../../../loop/base/command-payloads';
import { type Html, html } from '../../report/html';
import { failureOf } from '../support/report-error';
import type { Typed } from './form-parts';
import { type Actor, messagePage, page } from './layout';
import { ROOT } from './access';
import { listPage, runPath } from './list-page';
import { FieldError, type Sent, readSent } from './payload';
import { promptsPage, runPage } from './run-page';
import { NotSentError, type ReviewRuns, type SeenRun } from './runs';
import type { Answer, ReviewPages } from './pages-handler';
import { toError } from '../../../lib/base/message-of';

const DONE: Record<CommandName, string> = {
  accept: 'Accepted. The run ends with that version.',
  answer: 'Your answer is taken.',
  abort: 'Aborted. The run ends at once.',
  guide: 'Sent. The next revision gets your text.',
  override: 'Sent. Your version will be judged.',
  extend: 'The limit is raised.',
  decide: 'Decided.',
  reflect: 'The version will be judged again.',
};

const RUN = /^\/runs\/(.+)$/s;
const PROMPTS = /^\/prompts\/(.+)$/s;

interface Failure {
  sent: Sent;
  error: unknown;
}

type Made = ReturnType<typeof page>;

export class Pages implements ReviewPages {
  #by: string;
  readonly #made = new WeakMap<SeenRun, Made & { by: string }>();
  /** Sentence about the last command of each user to each run, until the user has seen the run's page once. */
  readonly #done = new Map<string, string>();

  constructor(
    readonly runs: ReviewRuns,
    by: string,
  ) {
    this.#by = by;
  }

  #actor(reviewer: string | undefined): Actor {
    return { name: (reviewer ?? this.#by).slice(0, WHO_CHARACTERS), isVerified: reviewer !== undefined };
  }

  async get(path: string, seen: string | undefined, reviewer?: string): Promise<Answer | 'same'> {
    const actor = this.#actor(reviewer);
    if (path === '/') return this.#answer(200, page(listPage(await this.runs.list()), actor), seen);
    const [, called] = PROMPTS.exec(path) ?? [];
    if (called !== undefined && this.runs.showsPrompts) return this.#prompts(called, seen, actor);
    const [, workflowId] = RUN.exec(path) ?? [];
    if (workflowId === undefined) return { status: 404, page: messagePage('There is no such page.') };
    // The page requests itself again with its state; a user who opens it does not.
    const key = JSON.stringify([actor.name, workflowId]);
    const done = seen === undefined ? this.#done.get(key) : undefined;
    if (done !== undefined) this.#done.delete(key);
    try {
      const run = await this.runs.look(workflowId);
      if (done === undefined) return this.#answer(200, this.#pageOf(run, actor), seen);
      return { status: 200, ...page(runPage(run, notice(done, 'pass')), actor) };
    } catch (error) {
      if (!(error instanceof RunNotFoundError)) throw error;
      return { status: 404, page: messagePage(error.message) };
    }
  }

  /** Returns the page of a run's model calls, which is made when it is opened: to write prompts again takes a while. */
  async #prompts(workflowId: string, seen: string | undefined, actor: Actor): Promise<Answer | 'same'> {
    if (seen !== undefined) return 'same';
    try {
      return { status: 200, ...page(promptsPage(workflowId, await this.runs.modelCalls(workflowId)), actor) };
    } catch (error) {
      if (!(error instanceof RunNotFoundError)) throw error;
      return { status: 404, page: messagePage(error.message) };
    }
  }

  /** A page stays the same as long as nothing happens to its run: large versions take long to compare. */
  #pageOf(run: SeenRun, actor: Actor): Made {
    const before = this.#made.get(run);
    if (before?.by === actor.name) return before;
    const made = { ...page(runPage(run), actor), by: actor.name };
    this.#made.set(run, made);
    return made;
  }

  #answer(status: number, made: Made, seen?: string): Answer | 'same' {
    return made.state === seen ? 'same' : { status, ...made };
  }

  async post(path: string, form: URLSearchParams, reviewer?: string): Promise<Answer | { location: string }> {
    const actor = this.#actor(reviewer);
    if (path === '/open') return { location: runPath(form.get('id') ?? '') };
    const [, workflowId] = RUN.exec(path) ?? [];
    // The form is on every page.
    if (form.get('command') === 'name') {
      if (!actor.isVerified) this.#by = form.get('by')?.trim().slice(0, WHO_CHARACTERS) || this.#by;
      return { location: workflowId === undefined ? `${ROOT}/` : runPath(workflowId) };
    }
    if (workflowId === undefined) return { status: 404, page: messagePage('There is no such page.') };
    let sent: Sent[];
    try {
      sent = readSent(workflowId, form, actor.name);
    } catch (error) {
      if (!(error instanceof FieldError)) throw error;
      const typed = { command: form.get('command') ?? '', fields: form };
      return this.#renderRefusal(workflowId, 400, error.message, typed, actor);
    }
    const { taken, failure } = await this.#sendAll(sent);
    if (failure) return this.#notTaken(failure, form, taken, actor);
    this.#done.set(JSON.stringify([actor.name, workflowId]), doneText(sent));
    return { location: runPath(workflowId) };
  }

  /** Sends commands in turn. One that the run refuses does not keep the others from being sent; any other failure does. */
  async #sendAll(all: readonly Sent[]): Promise<{ taken: Sent[]; failure?: Failure }> {
    const taken: Sent[] = [];
    let failure: Failure | undefined;
    for (const sent of all) {
      try {
        await this.runs.send(sent);
        taken.push(sent);
      } catch (error) {
        failure ??= { sent, error };
        if (!(error instanceof CommandRefusedError)) return { taken, failure: { sent, error } };
      }
    }
    return { taken, ...(failure && { failure }) };
  }

  /** Renders why a run did not take a command, on its page as it is now, with what was typed. */
  async #notTaken(
    { sent: { workflowId, name }, error }: Failure,
    fields: URLSearchParams,
    taken: readonly Sent[],
    actor: Actor,
  ): Promise<Answer> {
    const typed: Typed = { command: name, fields };
    const before = taken.length === 0 ? '' : `${takenText(taken)} `;
    const refuse = (status: number, why: string, again = typed) =>
      this.#renderRefusal(workflowId, status, `${before}${why}`, again, actor);
    if (error instanceof RunNotFoundError) return { status: 404, page: messagePage(error.message) };
    if (error instanceof CommandRefusedError) {
      const why = error.message.replace(/[.]?$/, '.');
      const unchanged = taken.length === 0 ? 'Nothing was changed. ' : '';
      return refuse(409, `Refused: ${why} ${unchanged}The page shows what is now.`);
    }
    if (error instanceof NotSentError)
      return refuse(503, `${taken.length === 0 ? 'Nothing' : 'Nothing else'} was sent. ${error.message}`);
    if (error instanceof NoAnswerError) {
      const text = 'No answer came, so it may yet take effect. Sent again from this page, it takes effect once.';
      const id = fields.get('id');
      return refuse(504, text, { ...typed, ...(id !== null && { id }) });
    }
    const { message, advice } = failureOf(toError(error));
    return refuse(502, [message, advice].filter(Boolean).join(' '));
  }

  async #renderRefusal(workflowId: string, status: number, why: string, typed: Typed, actor: Actor): Promise<Answer> {
    const run = await this.runs.look(workflowId);
    // What was typed is not a state of the run: the page is up to date for as long as an empty one is.
    const { state } = this.#pageOf(run, actor);
    return { status, ...page(runPage(run, notice(why, 'fail'), typed), actor, state) };
  }
}

function takenText(taken: readonly Sent[]): string {
  const ids = taken.flatMap(({ payload }) => ('to' in payload ? [payload.to] : []));
  return `Taken: ${ids.join(', ')}.`;
}

function doneText(sent: readonly Sent[]): string {
  return sent.length > 1 ? takenText(sent) : DONE[sent[0]!.name];
}

function notice(text: string, kind: 'pass' | 'fail'): Html {
  return html`<p id="notice" class="notice ${kind}" role="${kind === 'fail' ? 'alert' : 'status'}">${text}</p>`;
}
