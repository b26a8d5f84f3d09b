import { createRequire } from 'node:module';
import { writeSync } from 'node:fs';
import { Context } from '@temporalio/activity';
import { coresdk } from '@temporalio/proto';
import { Worker } from '@temporalio/worker';
import { type Barrier, REPORT, type WorkerOrder, type WorkerReport } from './barriers';
import { type Caller, CALLER_HEADER } from './caller';
import { watchStalls } from './stalls';

/** A worker that nobody kills goes on after this, so that a broken parent shows as a slow run and not as a dead one. */
const LONGEST_HOLD_MS = 20_000;
/** A blocked event loop cannot be told to go on. Shorter than what must be survived. */
const LONGEST_BLOCK_MS = 3_000;

/** What of the SDK's native worker is wrapped. Not a public interface: it is looked for, and missing parts are an error. */
interface NativeMethods {
  pollWorkflowActivation(): Promise<Buffer>;
  completeWorkflowActivation(completion: Buffer): Promise<void>;
  recordActivityHeartbeat(heartbeat: Buffer): void;
}

let armed: Barrier | undefined;
let release: (() => void) | undefined;

/** Blocks the event loop, as a long computation would. */
export function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Written at once: what comes next may be the end of this process. */
export function report(what: WorkerReport): void {
  writeSync(1, `${REPORT}${JSON.stringify(what)}\n`);
}

function reaches(barrier: Barrier, who?: Caller): boolean {
  if (armed !== barrier) return false;
  armed = undefined;
  report({ kind: 'reached', barrier, ...(who ? { caller: who } : {}) });
  return true;
}

/** Waits to be killed, where the barrier is the armed one. */
async function hold(barrier: Barrier, who?: Caller): Promise<void> {
  if (!reaches(barrier, who)) return;
  await new Promise<void>((resolve) => {
    release = resolve;
    setTimeout(resolve, LONGEST_HOLD_MS);
  });
}

function obey(order: WorkerOrder): void {
  if (order.kind === 'stall') return block(order.ms);
  armed = order.kind === 'arm' ? order.barrier : undefined;
  if (order.kind === 'disarm') release?.();
  return undefined;
}

function caller(worker: string): Caller | undefined {
  try {
    const { info } = Context.current();
    const { workflowId = '', runId = '' } = info.workflowExecution ?? {};
    const { responseId: given } = (info.heartbeatDetails ?? {}) as { responseId?: string };
    const { activityId, attempt } = info;
    return { worker, workflowId, runId, activityId, attempt, ...(given === undefined ? {} : { given }) };
  } catch {
    // Not a call of an activity.
    return undefined;
  }
}

/** What a request has to do with responses that are made in the background. */
function backgroundPart(input: Parameters<typeof fetch>[0]): 'begins' | 'asks' | undefined {
  const { pathname } = new URL(input instanceof Request ? input.url : input);
  if (pathname.endsWith('/responses')) return 'begins';
  return /\/responses\/[^/]+$/.test(pathname) ? 'asks' : undefined;
}

/** A `fetch` that says who calls and holds the call at its barriers. */
function heldFetch(worker: string, send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const who = caller(worker);
    if (!who) return send(input, init);
    const part = backgroundPart(input);
    await hold('before-send', who);
    // It knows the id and has given it to a heartbeat; whoever kills it looks whether the server has it.
    if (part === 'asks') await hold('background-noted', who);
    const headers = new Headers(init?.headers);
    headers.set(CALLER_HEADER, JSON.stringify(who));
    const response = await send(input, { ...init, headers });
    const text = await response.text();
    if (part === 'begins') await hold('background-begun', who);
    await hold('answered', who);
    return new Response(text, { status: response.status, headers: response.headers });
  };
}

function wrapFetch(worker: string): void {
  // Models are called through the library's fetch, which is looked up with each call; actions call Node's.
  const library = createRequire(__filename)('undici') as { fetch: typeof globalThis.fetch };
  for (const holder of [library, globalThis]) holder.fetch = heldFetch(worker, holder.fetch);
}

async function holdAtCommand(buffer: Buffer): Promise<void> {
  const { jobs } = coresdk.workflow_activation.WorkflowActivation.decode(new Uint8Array(buffer));
  if (jobs.some((job) => job.signalWorkflow ?? job.doUpdate)) await hold('command');
}

async function holdAtDecision(buffer: Buffer): Promise<void> {
  const completion = coresdk.workflow_completion.WorkflowActivationCompletion.decodeDelimited(new Uint8Array(buffer));
  const commands = completion.successful?.commands ?? [];
  if (commands.some((command) => command.continueAsNewWorkflowExecution)) await hold('continue-as-new');
  else if (commands.length > 0) await hold('workflow-task');
}

function wrapNativeWorker(worker: Worker): void {
  const native = (worker as unknown as { nativeWorker?: NativeMethods }).nativeWorker;
  if (!native?.pollWorkflowActivation || !native.completeWorkflowActivation || !native.recordActivityHeartbeat) {
    throw new TypeError(
      'This version of the SDK keeps its native worker elsewhere: adapt testing/torture/worker-hooks.ts',
    );
  }
  const { pollWorkflowActivation, completeWorkflowActivation, recordActivityHeartbeat } = native;
  native.pollWorkflowActivation = async () => {
    const buffer = await pollWorkflowActivation();
    await holdAtCommand(buffer);
    return buffer;
  };
  native.completeWorkflowActivation = async (completion) => {
    await holdAtDecision(completion);
    return completeWorkflowActivation(completion);
  };
  native.recordActivityHeartbeat = (heartbeat) => {
    if (reaches('heartbeat')) block(LONGEST_BLOCK_MS);
    recordActivityHeartbeat(heartbeat);
  };
}

/** Makes every worker of this process stop where the parent says. Must come before the first worker is made. */
export function installHooks(name: string): void {
  const create = Worker.create.bind(Worker);
  Worker.create = async (options) => {
    const worker = await create(options);
    wrapNativeWorker(worker);
    return worker;
  };
  wrapFetch(name);
  watchStalls((stall) => report({ kind: 'stalled', ...stall }));
  process.on('message', obey);
  // Whoever started this worker is gone.
  process.once('disconnect', () => process.exit(1));
}
