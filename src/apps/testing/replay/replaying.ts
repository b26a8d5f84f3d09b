import { DeterminismViolationError } from '@temporalio/workflow';
import {
  type BundleOptions,
  type BundlerPlugin,
  bundleWorkflowCode,
  DefaultLogger,
  type InjectedSinks,
  type ReplayWorkerOptions,
  Worker,
} from '@temporalio/worker';
import type { HistoryFile, Recording, RunEnd } from './history-file';
import type { OutcomeSinks } from './outcome-interceptor';

export type Bundle = NonNullable<ReplayWorkerOptions['workflowBundle']>;

export interface Replayed {
  name: string;
  error?: Error;
  /** The code issued other commands than the recorded ones; an exception in the code is an error, but not this. */
  diverged: boolean;
  end?: RunEnd;
}

/** The worker wants a source map, and replay has no use for one: this one is empty. */
const EMPTY_MAP = Buffer.from(
  '{"version":3,"file":"workflow-bundle.js","sources":[],"names":[],"mappings":""}',
).toString('base64');

/** Bundles workflow code as a worker does, but without source maps, and adds the code that reports how runs end. */
export async function bundleForReplay(workflowsPath: string, plugins: BundlerPlugin[] = []): Promise<Bundle> {
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    plugins,
    workflowInterceptorModules: [require.resolve('./outcome-interceptor')],
    logger: new DefaultLogger('ERROR'),
    webpackConfigHook: withoutSourceMaps,
  });
  return { code: `${code}\n//# sourceMappingURL=data:application/json;charset=utf-8;base64,${EMPTY_MAP}` };
}

type Configuration = Parameters<NonNullable<BundleOptions['webpackConfigHook']>>[0];

function withoutSourceMaps(configuration: Configuration): Configuration {
  const rules = configuration.module?.rules?.filter((rule) => !JSON.stringify(rule).includes('source-map-loader'));
  return { ...configuration, devtool: false, module: { ...configuration.module, rules } };
}

/** An event that does not fit the state of its command, such as an answer to a call that was taken back. */
const FATAL = /Fatal error in workflow machines/;

/** Returns the recording as if its run had been started as a copy of its workflow type: `copy_reflectionLoop`. */
function renameWorkflowType(copy: string, { events: [first, ...others] }: HistoryFile): HistoryFile {
  const key = 'workflowExecutionStartedEventAttributes';
  const attributes = first![key] as { workflowType: { name: string } };
  const workflowType = { name: `${copy}_${attributes.workflowType.name}` };
  return { events: [{ ...first!, [key]: { ...attributes, workflowType } }, ...others] };
}

/** Returns the id of the run that was recorded: those of its children begin with it. */
function recordedId({ events: [first] }: HistoryFile): string | undefined {
  const { workflowId } = first!['workflowExecutionStartedEventAttributes'] as { workflowId?: string };
  return workflowId;
}

async function* replayEach(
  bundle: Bundle,
  recordings: readonly Recording[],
  type: string | undefined,
): AsyncGenerator<Replayed> {
  let end: RunEnd | undefined;
  const sinks: InjectedSinks<OutcomeSinks> = {
    outcome: { tell: { fn: (_info, told) => void (end = JSON.parse(told) as RunEnd), callDuringReplay: true } },
  };
  const histories = recordings.map(({ name, history }) => ({
    workflowId: recordedId(history) ?? name,
    history: type === undefined ? history : renameWorkflowType(type, history),
  }));
  // One after the other, in their order: the runs of a chain have one id.
  const names = recordings.map(({ name }) => name).values();
  for await (const { error } of Worker.runReplayHistories({ workflowBundle: bundle, sinks }, histories)) {
    const name = names.next().value!;
    const diverged = error instanceof DeterminismViolationError || FATAL.test(error?.message ?? '');
    yield { name, diverged, ...(error ? { error } : {}), ...(end ? { end } : {}) };
    end = undefined;
  }
}

export async function replay(bundle: Bundle, recordings: readonly Recording[], type?: string): Promise<Replayed[]> {
  const all: Replayed[] = [];
  for await (const replayed of replayEach(bundle, recordings, type)) all.push(replayed);
  return all;
}

/** Replays recordings until one comes out in a certain way, and gives that one. */
export async function firstReplayed(
  bundle: Bundle,
  recordings: readonly Recording[],
  type: string,
  isWanted: (replayed: Replayed) => boolean,
): Promise<Replayed | undefined> {
  for await (const replayed of replayEach(bundle, recordings, type)) if (isWanted(replayed)) return replayed;
  return undefined;
}
