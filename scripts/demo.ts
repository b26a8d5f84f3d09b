/** `npm run demo`: starts all that a reflection loop needs, runs one, and leaves nothing behind but its history. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pc from 'picocolors';
import { followRun } from '../src/apps/cli/follow/follow';
import { onInterrupt } from '../src/apps/cli/support/interrupts';
import { liveView } from '../src/apps/cli/show/show-loop';
import { installQuietRuntime } from '../src/apps/cli/worker/quiet-runtime';
import { reportError } from '../src/apps/cli/support/report-error';
import { resultText } from '../src/apps/cli/views/result-view';
import { pollerCount } from '../src/apps/cli/support/pollers';
import { type RunTab, serverOf, tabLink } from '../src/apps/cli/support/web-ui';
import { ReflectionClient } from '../src/client';
import { createWorker } from '../src/worker';
import { parseSpecFile } from '../src/apps/yaml';
import { demoModel } from './demo/demo-model';
import { demoServer, type DemoServer } from './demo/demo-server';

const ROOT = join(__dirname, '..');
const EXAMPLE = join('examples', 'json-generation.yaml');
const MESSAGE = join('examples', 'data', 'customer-message.txt');
const INTERRUPTED = 130;

/** What has to be ended, the last started first. */
const cleanups: (() => Promise<unknown>)[] = [];
const interrupted = new AbortController();
/** The run has ended, and was shown: Ctrl-C ends what is left. */
let isOver = false;

async function demo(): Promise<number> {
  const say = (text = '') => console.log(text);
  const server = await demoServer((text) => say(pc.dim(text)));
  cleanups.push(() => server.stop());
  interrupted.signal.throwIfAborted();
  const model = await demoModel(ROOT);
  cleanups.push(() => model.stop());

  const address = { address: server.address, taskQueue: await demoQueue(server.address, say) };
  installQuietRuntime('ERROR');
  const worker = await createWorker({ ...address, models: model.models });
  const working = worker.run();
  cleanups.push(() => {
    worker.shutdown();
    return working;
  });
  const client = await ReflectionClient.connect(address);
  cleanups.push(() => client.close());
  interrupted.signal.throwIfAborted();

  const { spec } = parseSpecFile(await readFile(join(ROOT, EXAMPLE), 'utf8'), EXAMPLE);
  const message = await readFile(join(ROOT, MESSAGE), 'utf8');
  say(`\n${pc.bold(EXAMPLE)} reads ${pc.bold(MESSAGE)}:\n`);
  say(pc.dim(message.trimEnd().replace(/^/gm, '  │ ')));
  say(`\n${pc.yellow(model.description)}\n`);
  const workflowId = `demo-${new Date().toISOString().slice(0, 19).replace(/[:T]/g, '-')}`;
  // An endpoint that does not answer is tried for an hour otherwise: too long for a demo.
  const timeouts = { ...spec.timeouts, retryFor: '1m' };
  const reference = await client.start({ ...spec, timeouts, state: { message } }, { workflowId });
  const view = liveView(process.stdout);
  try {
    const result = await followRun(client, reference, view, interrupted.signal);
    view.clear();
    say(`\n${resultText(result)}\n`);
    sayWhere(client, reference, server);
    // Somebody who watches may want to look at the page, which the worker makes.
    if (process.stdout.isTTY && !interrupted.signal.aborted) await untilInterrupted(server);
    isOver = true;
    return result.success ? 0 : 1;
  } catch (error) {
    view.clear();
    // A run that nobody works on would wait in the database for ever.
    if (interrupted.signal.aborted) await client.abort(reference.workflowId, { by: 'Ctrl-C' }).catch(() => undefined);
    throw error;
  }
}

/**
 * The ordinary queue, so that `npx reflect worker` answers for the demo's run later. A worker that serves it already has other
 * models: then the demo has a queue of its own.
 */
async function demoQueue(address: string, say: (text: string) => void): Promise<string> {
  const client = await ReflectionClient.connect({ address });
  try {
    if ((await pollerCount(client, client.taskQueue, 'workflow')) === 0) return client.taskQueue;
    const own = `${client.taskQueue}-demo-${process.pid}`;
    say(pc.dim(`Another worker serves the queue "${client.taskQueue}": the demo uses "${own}".`));
    return own;
  } finally {
    await client.close();
  }
}

function sayWhere(
  client: ReflectionClient,
  reference: { workflowId: string; runId: string },
  { reopen, uiUrl }: DemoServer,
): void {
  const link = (tab: RunTab) => tabLink(serverOf(client), reference, tab, uiUrl);
  const page = link(process.stdout.isTTY ? 'user-metadata' : 'timeline');
  if (page !== undefined) {
    console.log(`The run in the Temporal Web UI: ${pc.cyan(page)}`);
    if (process.stdout.isTTY) console.log(`The same without a worker: ${pc.cyan(link('timeline')!)}`);
  }
  if (reopen === undefined) return;
  console.log(`The server ends with this demo, its database stays. Open the run again: ${pc.cyan(reopen)}`);
}

/** Keeps all that runs, until Ctrl-C, or until the server is gone. */
async function untilInterrupted({ exited }: DemoServer): Promise<void> {
  console.log(`\n${pc.bold('Ctrl-C ends the demo.')}`);
  const { signal } = interrupted;
  // Neither a server of somebody else's nor the signal keeps this process.
  const alive = setInterval(() => undefined, 60_000);
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  await Promise.race([stopped, ...(exited ? [exited] : [])]);
  clearInterval(alive);
}

async function cleanUp(): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup().catch(reportError);
}

async function main(): Promise<void> {
  let code = 1;
  // A second Ctrl-C does not wait; what we started ends with this process anyway.
  onInterrupt(() => interrupted.abort());
  try {
    code = await demo();
  } catch (error) {
    if (!interrupted.signal.aborted) reportError(error);
  }
  await cleanUp();
  if (interrupted.signal.aborted) console.log('\nStopped. Nothing is left running.');
  process.exit(interrupted.signal.aborted && !isOver ? INTERRUPTED : code);
}

void main();
