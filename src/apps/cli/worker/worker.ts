import pc from 'picocolors';
import { temporalSettings, type TemporalOverrides, type WorkerDeployment, workerDeployment } from '../../../lib/config';
import { recoverySettings } from '../../../lib/limits/recovery';
import { loggerOptionsFrom } from '../../../lib/observability/logger';
import { startObservabilityServer, type ObservabilityServer } from '../../../lib/observability/http-server';
import { installRuntime } from '../../../lib/observability/runtime';
import { assertInstalled } from '../../../lib/optional-packages';
import { wantsTracing } from '../../../lib/observability/tracing-wanted';
import {
  type CircuitState,
  createWorker,
  type ReflectionWorker,
  type SandboxOptions,
  serveFrom,
  switchLines,
  WorkerMetrics,
  type WorkOptions,
} from '../../../worker';
import { receiverOf } from '../../../worker/notify';
import { runThenClose } from '../../../worker/running/run-together';
import { CliError } from '../support/cli-error';
import { connect } from '../support/connect';
import { printText, printAside, writeJson } from '../terminal/say';
import { onInterrupt } from '../support/interrupts';
import { modelEndpoint } from './model-findings';
import { durationOf, setting } from '../support/options';
import { mcpServersIn } from './mcp-findings';
import { modelLines, modelsOfFile } from './models-of-file';
import { type SwitchFlags, switchesWith, switchOptions } from './worker-switches';
import { sandboxFinding } from './sandbox-finding';
import { createServer, type AddressInfo } from 'node:net';

const LOOPBACK = '127.0.0.1';
const TIMEOUT_MS = 2_000;

/**
 * Finds an address for the metrics of the SDK's core: on this machine only, and we pass them on. It cannot choose a port itself.
 */
export async function coreMetricsAddress(): Promise<string> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject);
    probe.listen(0, LOOPBACK, resolve);
  });
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return `${LOOPBACK}:${port}`;
}

export async function allMetrics(
  metrics: WorkerMetrics,
  coreAddress: string | undefined,
): Promise<{ contentType: string; text: string }> {
  const own = await metrics.text();
  return { contentType: metrics.contentType, text: own + (await coreText(coreAddress)) };
}

async function coreText(address: string | undefined): Promise<string> {
  if (address === undefined) return '';
  try {
    const response = await fetch(`http://${address}/metrics`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return response.ok ? await response.text() : '';
  } catch {
    // Ours are worth having without them.
    return '';
  }
}

interface WorkerCommandOptions extends TemporalOverrides, SwitchFlags {
  port?: number;
  host?: string;
  drain?: string;
  serve?: string;
  schemaRoot?: string;
  schemaAddress?: string;
  models?: string;
  mcp?: string;
  json?: boolean;
}

function versionText({ name, buildId }: WorkerDeployment, address: string, namespace: string): string {
  const where = `--address ${address} --namespace ${namespace}`;
  return [
    `Version: ${pc.bold(`${name}.${buildId}`)}. It gets new runs only once it is current:`,
    `  temporal worker deployment set-current-version --deployment-name ${name} --build-id ${buildId} ${where}`,
  ].join('\n');
}

/** `reflect worker`: serves runs until it is stopped, then lets the runs under way finish. */
export async function worker(options: WorkerCommandOptions): Promise<number> {
  const drain = options.drain ?? process.env['REFLECT_DRAIN'];
  const drainMs = drain ? durationOf(drain, '30s or 2m') : undefined;
  const port = options.port ?? portOf(process.env['REFLECT_HTTP_PORT']);
  checkVariables();
  if (port !== undefined) assertInstalled('Metrics');
  if (wantsTracing(process.env)) assertInstalled('Tracing');
  const switches = switchesWith(options);
  const receiver = setting(['REFLECT_NOTIFY_URL'], () => receiverOf(switchOptions(options), process.env));
  const models = await modelsOfFile(options.models);
  const mcp = await mcpServersIn(options.mcp);
  if (mcp.mcpServers) assertInstalled('MCP servers');
  // The client explains a server that is not there; the native connection only says that it failed.
  await (await connect(options)).close();
  const metricsAddress = port === undefined ? undefined : await coreMetricsAddress();
  installRuntime(metricsAddress === undefined ? {} : { metricsAddress });
  const tracing = wantsTracing(process.env)
    ? (
        require('../../../lib/observability/tracing') as typeof import('../../../lib/observability/tracing')
      ).startTracing()
    : undefined;
  // Metrics watch the worker's calls and show its circuits, so each needs the other.
  const started: { worker?: ReflectionWorker } = {};
  const circuits = () => circuitsOf(started.worker);
  const metrics = port === undefined ? undefined : new WorkerMetrics(circuits);
  const {
    host,
    drain: _drain,
    port: _port,
    serve,
    sandbox: _sandbox,
    externalCalls: _calls,
    models: _models,
    mcp: _mcp,
    json: _json,
    ...place
  } = options;
  const served = await createWorker({
    ...place,
    ...switchOptions(options),
    ...mcp,
    ...(models && { models }),
    ...(serve === undefined ? {} : { serve: setting(['--serve'], () => serveFrom(serve)) }),
    instrumentations: [metrics, tracing?.instrumentation].filter((each) => each !== undefined),
    ...(drainMs === undefined ? {} : { drainMs }),
  });
  started.worker = served;
  const http = metrics && (await listen(served, metrics, metricsAddress, port ?? 0, host));
  tellWhatIsServed(
    served,
    options,
    { models, lines: [...switchLines(switches), ...receiverLines(receiver), ...mcpLines(mcp)] },
    http,
  );
  if (switches.sandbox !== false && !options.json) void tellSandbox(switches.sandbox);

  const stopListening = onInterrupt(() => {
    (options.json ? printAside : printText)('Stopping …');
    served.shutdown();
  });
  await runThenClose(() => served.run(), {
    'the port of health and metrics': async () => http?.close(),
    'the exporter of traces': async () => tracing?.shutdown(),
  }).finally(stopListening);
  return 0;
}

/** Prints the level of the sandbox here, which takes a second to find out. The worker does not wait for it. */
async function tellSandbox(demanded: SandboxOptions): Promise<void> {
  const { well, text, advice } = await sandboxFinding(demanded);
  printText(well ? text : pc.yellow(`${text}\n${advice}`));
}

function checkVariables(): void {
  const { REFLECT_RECOVERY: recovery } = process.env;
  setting(['REFLECT_SERVE'], () => serveFrom(process.env['REFLECT_SERVE']));
  setting(['REFLECT_RECOVERY'], () => recoverySettings(recovery));
  setting(['REFLECT_LOG'], () => loggerOptionsFrom(process.env));
  setting(['REFLECT_DEPLOYMENT'], () => workerDeployment());
}

function circuitsOf(served: ReflectionWorker | undefined): CircuitState[] {
  const states = served?.circuitStates() ?? [];
  return states.map(({ provider, model, state }) => ({ name: `${provider} ${model}`, state }));
}

async function listen(
  served: ReflectionWorker,
  metrics: WorkerMetrics,
  metricsAddress: string | undefined,
  port: number,
  host = process.env['REFLECT_HTTP_HOST'],
): Promise<ObservabilityServer> {
  try {
    return await startObservabilityServer({
      port,
      ...(host ? { host } : {}),
      readiness: () => served.readiness(),
      metrics: () => allMetrics(metrics, metricsAddress),
    });
  } catch (error) {
    throw new CliError(
      'PortUnavailable',
      `Health and metrics cannot be served on port ${port}: ${(error as Error).message}`,
      'Name another with --port or REFLECT_HTTP_PORT.',
    );
  }
}

function mcpLines({ mcpServers = {} }: Pick<WorkOptions, 'mcpServers'>): string[] {
  const names = Object.keys(mcpServers);
  return names.length === 0 ? [] : [`MCP servers: ${names.join(', ')}`];
}

function receiverLines(receiver: ReturnType<typeof receiverOf>): string[] {
  return receiver ? [`Notifications of waits: to ${new URL(receiver.url).origin}`] : [];
}

function queuesText({ serve, taskQueue, modelQueue }: ReflectionWorker): string {
  const loops = serve === 'models' ? [] : [`${pc.bold(taskQueue)} (runs and checks)`];
  const models = serve === 'loops' ? [] : [`${pc.bold(modelQueue)} (model calls)`];
  return [...loops, ...models].join(', ');
}

function tellWhatIsServed(
  served: ReflectionWorker,
  options: WorkerCommandOptions,
  { models, lines }: { models: Awaited<ReturnType<typeof modelsOfFile>>; lines: string[] },
  http?: ObservabilityServer,
): void {
  const { connection, namespace } = temporalSettings(options);
  const { baseUrl, hasKey, isDefault } = modelEndpoint();
  if (options.json) {
    const { serve, taskQueue, modelQueue, deployment } = served;
    const queues = { ...(serve !== 'models' && { runs: taskQueue }), ...(serve !== 'loops' && { models: modelQueue }) };
    const { address } = connection;
    const names = models?.map(({ name }) => name);
    writeJson({ address, namespace, serve, queues, models: names ?? baseUrl, deployment, health: http?.url });
    return;
  }
  printText(`Serving Temporal at ${pc.bold(connection.address)}, namespace ${namespace}`);
  printText(`Queues: ${queuesText(served)}`);
  const keyless = isDefault && !hasKey ? pc.yellow(' (OPENAI_API_KEY is not set: they will fail)') : '';
  printText(models ? ['Models:', ...modelLines(models)].join('\n') : `Models: every name goes to ${baseUrl}${keyless}`);
  printText(lines.join('\n'));
  if (served.deployment) printText(versionText(served.deployment, connection.address, namespace));
  if (http) printText(`Health and metrics: ${http.url}/healthz, /readyz, /metrics`);
  printText('Ctrl-C lets what is under way finish, then ends.');
}

function portOf(text: string | undefined): number | undefined {
  if (!text) return undefined;
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new CliError('InvalidPort', `REFLECT_HTTP_PORT must be a port, and is "${text}".`);
}
