import { randomUUID } from 'node:crypto';
import type { ReflectionClient, RunListEntry } from '../../../client';
import { runKindOf } from '../../../kinds/list/client';
import { NoAnswerError } from '../../../loop/errors/call-errors';
import { CommandRefusedError, NoReportError } from '../../../loop/errors/errors';
import type { Progress } from '../../../loop/contract/results';
import type { RunReport } from '../../../kinds/report/contract';
import type { ModelCall } from '../../../lib/contract/model-calls';
import { describeRun, type RunDescription } from '../show/describe-run';
import { noLoop, servesNoLoop } from '../show/inspect-run';
import { pollersOf, presentPollers, whyNoAnswer } from '../support/pollers';
import { runLink, serverOf } from '../support/web-ui';
import type { Sent } from './payload';

/** A worker that is there answers within milliseconds; the page says so when none does. */
const ANSWER = '6s';
const TAKEN = '15s';
const MOST_LISTED = 100;
const REMEMBERED = 20;

export interface SeenRun {
  workflowId: string;
  runId: string;
  /** The id of this look at the run: another one whenever something happened to the run. */
  lookId: string;
  isRunning: boolean;
  showsPrompts: boolean;
  link: string | undefined;
  report?: RunReport;
  progress?: Progress;
  /** Why nothing more is known, such as that no worker answers. */
  trouble?: string;
  kept?: string[];
}

/** The runs that are listed. `isPartial`: the namespace does not know which runs wait. */
export interface ListedRuns {
  waiting: RunListEntry[];
  underWay: RunListEntry[];
  isPartial: boolean;
}

export class ReviewRuns {
  readonly #seen = new Map<string, { key: string; run: SeenRun }>();

  constructor(
    readonly client: ReflectionClient,
    readonly showsPrompts = true,
  ) {}

  /** Returns the link to a run in Temporal's Web UI; undefined if the address of the UI is not known. */
  link(workflowId: string): string | undefined {
    const link = runLink(serverOf(this.client), { workflowId });
    // It comes from the environment, and becomes a link.
    return link !== undefined && /^https?:\/\//.test(link) ? link : undefined;
  }

  async list(): Promise<ListedRuns> {
    const running = "ExecutionStatus = 'Running'";
    let isPartial = false;
    const waiting = await this.#entries(`${running} AND ReflectionStatus = 'waiting'`).catch(() => {
      isPartial = true;
      return [];
    });
    const known = new Set(waiting.map(({ runId }) => runId));
    const all = await this.#entries(running);
    return { waiting, underWay: all.filter(({ runId }) => !known.has(runId)), isPartial };
  }

  async #entries(query: string): Promise<RunListEntry[]> {
    const entries: RunListEntry[] = [];
    for await (const entry of this.client.list({ query, limit: MOST_LISTED, timeout: ANSWER })) entries.push(entry);
    return entries;
  }

  async look(workflowId: string): Promise<SeenRun> {
    const description = await describeRun(this.client, workflowId);
    const { runId, events, status, running, taskQueue } = description;
    const isServed = !running || (await this.#isServed(taskQueue));
    const key = `${runId} ${events} ${status} ${isServed}`;
    const before = this.#seen.get(workflowId);
    if (before?.key === key) return before.run;
    const run = await this.#ask(description, isServed);
    this.#seen.delete(workflowId);
    if (run.trouble === undefined) this.#seen.set(workflowId, { key, run });
    for (const old of [...this.#seen.keys()].slice(0, -REMEMBERED)) this.#seen.delete(old);
    return run;
  }

  async #isServed(taskQueue: string): Promise<boolean> {
    const pollers = await pollersOf(this.client, taskQueue, 'workflow').catch(() => undefined);
    return pollers === undefined || presentPollers(pollers).length > 0;
  }

  async #ask({ workflowId, runId, running, taskQueue, type, kept }: RunDescription, isServed: boolean) {
    const { showsPrompts } = this;
    const link = this.link(workflowId);
    const run: SeenRun = { workflowId, runId, lookId: randomUUID(), isRunning: running, showsPrompts, link };
    const nobody = async () => ({ ...run, trouble: await whyNoAnswer(this.client, taskQueue), ...(kept && { kept }) });
    if (!isServed) return nobody();
    try {
      const isLoop = (runKindOf(type) ?? 'loop') === 'loop';
      const progress = running && isLoop ? await this.client.progress(workflowId, { timeout: ANSWER }) : undefined;
      const report = await this.client.report(workflowId, { timeout: ANSWER });
      return { ...run, report, ...(progress && { progress }) };
    } catch (error) {
      if (error instanceof NoAnswerError) return nobody();
      if (servesNoLoop(error)) return { ...run, trouble: noLoop(workflowId, type).message };
      if (error instanceof NoReportError)
        return { ...run, trouble: `${error.message} Its loops are runs of their own.` };
      throw error;
    }
  }

  async modelCalls(workflowId: string): Promise<ModelCall[]> {
    // Only this page needs the code that writes prompts.
    const { readModelCalls } = require('../prompts/model-calls') as typeof import('../prompts/model-calls');
    return readModelCalls(this.client, workflowId);
  }

  /** Sends a person's decision about the run as it was seen. Throws as the client does. */
  async send({ workflowId, runId, iteration, name, payload }: Sent): Promise<Progress> {
    const { taskQueue } = await describeRun(this.client, workflowId);
    if (!(await this.#isServed(taskQueue))) throw new NotSentError(await whyNoAnswer(this.client, taskQueue));
    const run = { workflowId, runId };
    // A command that names neither a version nor a wait cannot be refused by the run because it was intended for an earlier one.
    if (!('iteration' in payload) && name !== 'answer') {
      const { iteration: now } = await this.client.progress(run, { timeout: ANSWER });
      if (now !== iteration)
        throw new CommandRefusedError(`iteration ${iteration} is not the current one, which is ${now}`);
    }
    const method = this.client[name].bind(this.client) as (...given: unknown[]) => Promise<Progress>;
    return method(run, payload, { timeout: TAKEN });
  }
}

/** The error for a command that was not sent, because no run would have taken it. */
export class NotSentError extends Error {}
