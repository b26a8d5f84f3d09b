import pc from 'picocolors';
import type { ReflectionClient } from '../../../client';
import type { TemporalOverrides } from '../../../lib/config';
import { attributeGaps, SEARCH_ATTRIBUTES } from '../../../lib/names/search-attributes';
import { modelQueue } from '../../../lib/names/task-queues';
import { registerSearchAttributes } from '../../server';
import type { CliError } from '../support/cli-error';
import { connect, serverSettings } from '../support/connect';
import { judgeFindings } from '../worker/judge-findings';
import { fileModelCallFindings, type Finding, modelCallFindings, modelFindings } from '../worker/model-findings';
import { EXIT } from '../support/exit-codes';
import { pollersOf, presenceText } from '../support/pollers';
import { printText, writeJson } from '../terminal/say';
import { switchLines, SdkCopiesError } from '../../../worker';
import { switchesWith } from '../worker/worker-switches';
import { optionalFindings } from '../worker/optional-findings';
import { sandboxFinding } from '../worker/sandbox-finding';
import { mcpFindings } from '../worker/mcp-findings';
import { fileModelFindings, modelsOfFile } from '../worker/models-of-file';
import { count } from '../views/printable';
import { assertOneSdk, sdkVersion } from '../../../worker/sdk/sdk-copies';
import { sdkGaps } from '../../../worker/sdk/sdk-gaps';

interface WorkerCircuit {
  circuit: string;
  state: string;
}

const TIMEOUT_MS = 3_000;
const LINE = /^reflect_circuit_state\{circuit="((?:[^"\\]|\\.)*)",state="([\w-]+)"\} 1$/gm;

export function circuitsIn(metrics: string): WorkerCircuit[] {
  return [...metrics.matchAll(LINE)].map(([, circuit, state]) => ({
    circuit: circuit!.replace(/\\(.)/g, '$1'),
    state: state!,
  }));
}

/** Asks a worker that serves metrics, because circuits are in its memory. Throws when it does not answer. */
export async function workerCircuits(baseUrl: string): Promise<WorkerCircuit[]> {
  const response = await fetch(new URL('/metrics', baseUrl), { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`it answered ${response.status}`);
  return circuitsIn(await response.text());
}

export function sdkFindings(version = sdkVersion(), assertOne: () => void = assertOneSdk): Finding[] {
  try {
    assertOne();
  } catch (error) {
    if (error instanceof SdkCopiesError) return [{ well: false, text: error.message }];
    throw error;
  }
  const gaps = sdkGaps(version);
  return [{ well: true, text: `Temporal SDK ${version}${gaps.length === 0 ? '' : `: ${gaps.join('; ')}`}` }];
}

interface DoctorOptions extends TemporalOverrides {
  fix?: boolean;
  call?: boolean;
  judge?: string | true;
  models?: string;
  mcp?: string;
  /** The address at which a worker serves health and metrics; default: `REFLECT_HTTP_PORT` on this machine. */
  worker?: string;
  json?: boolean;
}

const OLDEST_NODE = { major: 20, minor: 3 };

export async function doctor(options: DoctorOptions): Promise<number> {
  const findings: Finding[] = [];
  const tell = ({ well, text, advice, isAbsent, isDoubtful }: Finding) => {
    const needed = (well && !isDoubtful) || advice === undefined ? {} : { advice };
    findings.push({ well, ...(isDoubtful && { isDoubtful }), text, ...needed });
    if (options.json) return;
    const mark = isAbsent ? pc.dim('–') : isDoubtful ? pc.yellow('!') : well ? pc.green('✓') : pc.red('✗');
    printText(`${mark} ${text}${needed.advice === undefined ? '' : `\n    ${needed.advice}`}`);
  };
  tell(node());
  for (const finding of sdkFindings()) tell(finding);
  const client = await server(options, tell);
  if (client) {
    try {
      tell(await searchAttributes(client, options.fix ?? false));
      for (const finding of await workers(client)) tell(finding);
    } finally {
      await client.close();
    }
  }
  for (const finding of await switches()) tell(finding);
  for (const finding of optionalFindings()) tell(finding);
  for (const finding of await mcpFindings(options.mcp)) tell(finding);
  for (const finding of (await fileModelFindings(options.models)) ?? modelFindings()) tell(finding);
  if (options.call) for (const finding of await callFindings(options.models)) tell(finding);
  if (options.judge !== undefined) for (const finding of await findingsOfJudge(options)) tell(finding);
  for (const finding of await circuits(options.worker)) tell(finding);
  const bad = findings.filter(({ well }) => !well).length;
  const doubts = findings.filter(({ isDoubtful }) => isDoubtful).length;
  const doubted = doubts === 0 ? '' : ` (${count(doubts, 'warning')})`;
  if (options.json) writeJson({ well: bad === 0, findings });
  else
    printText(
      `\n${bad === 0 ? 'All is well' : `${bad === 1 ? 'One thing is' : `${bad} things are`} missing`}${doubted}.`,
    );
  return bad === 0 ? EXIT.success : EXIT.error;
}

async function callFindings(file: string | undefined): Promise<Finding[]> {
  // Problems of the file were reported already.
  const models = await modelsOfFile(file).catch(() => []);
  return models ? fileModelCallFindings(models) : modelCallFindings();
}

async function findingsOfJudge({ models: file, judge }: DoctorOptions): Promise<Finding[]> {
  // Problems of the file were reported already.
  const models = await modelsOfFile(file).catch(() => []);
  const isUnread = models?.length === 0;
  return isUnread ? [] : judgeFindings(models, judge === true ? undefined : judge);
}

function node(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const well = major > OLDEST_NODE.major || (major === OLDEST_NODE.major && minor >= OLDEST_NODE.minor);
  const wanted = `${OLDEST_NODE.major}.${OLDEST_NODE.minor}`;
  return {
    well,
    text: `Node ${process.versions.node}`,
    advice: `Version ${wanted} or later is needed: https://nodejs.org`,
  };
}

async function server(options: DoctorOptions, tell: (finding: Finding) => void): Promise<ReflectionClient | undefined> {
  try {
    const { connection, namespace } = serverSettings(options);
    const client = await connect(options);
    tell({ well: true, text: `Temporal server at ${connection.address}, namespace ${namespace}` });
    return client;
  } catch (error) {
    if (typeof (error as { type?: unknown }).type !== 'string') throw error;
    const { message: text, advice } = error as CliError;
    tell({ well: false, text, advice });
    return undefined;
  }
}

const WITHOUT_ATTRIBUTES = 'Runs work without them; the run list shows less.';

async function searchAttributes(client: ReflectionClient, fix: boolean): Promise<Finding> {
  const { connection, options } = client.temporal;
  const { namespace } = options;
  const names = Object.values(SEARCH_ATTRIBUTES).join(', ');
  const describeMissing = (text: string, what = 'Ask whoever runs the namespace.'): Finding => {
    return { well: false, text: `Search attributes ${text}`, advice: `${what} ${WITHOUT_ATTRIBUTES}` };
  };
  if (fix) {
    const done = await registerSearchAttributes(connection, namespace);
    if (typeof done === 'string') return { well: true, text: `Search attributes ${names} (${done})` };
    return describeMissing(`could not be registered: ${done.unavailable}`);
  }
  try {
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    const { missing, otherType } = attributeGaps(customAttributes);
    if (otherType.length > 0) return describeMissing(`of another type than ours: ${otherType.join(', ')}`);
    if (missing.length === 0) return { well: true, text: `Search attributes ${names}` };
    return describeMissing(`missing: ${missing.join(', ')}`, 'Register them with `npx reflect doctor --fix`.');
  } catch (error) {
    const text = `The server does not tell its search attributes: ${(error as Error).message}`;
    return { well: false, text, advice: WITHOUT_ATTRIBUTES };
  }
}

async function circuits(worker: string | undefined): Promise<Finding[]> {
  const port = process.env['REFLECT_HTTP_PORT'];
  const url = worker ?? (port ? `http://127.0.0.1:${port}` : undefined);
  if (url === undefined) return [];
  try {
    const found = await workerCircuits(url);
    return found.map(({ circuit, state }) => ({
      well: state !== 'open',
      text: `Circuit of ${circuit}: ${state}`,
      advice: 'The model failed several times in a row. The worker tries it again by itself; look at the provider.',
    }));
  } catch (error) {
    const advice = 'Start the worker with --port, or name its address with --worker.';
    return [
      { well: false, text: `The worker at ${url} does not tell its circuits: ${(error as Error).message}`, advice },
    ];
  }
}

async function workers(client: ReflectionClient): Promise<Finding[]> {
  const { taskQueue } = client;
  const advice = `Start one: npx reflect worker --task-queue ${taskQueue}`;
  const [runs, calls] = await Promise.all([
    pollersOf(client, taskQueue, 'workflow'),
    pollersOf(client, modelQueue(taskQueue), 'activity'),
  ]);
  const finding = (queue: string, { well, text }: ReturnType<typeof presenceText>): Finding => {
    return { well, text: `Queue ${queue}: ${text}`, advice };
  };
  return [
    finding(taskQueue, presenceText(runs)),
    finding(`${modelQueue(taskQueue)} (model calls)`, presenceText(calls)),
  ];
}

async function switches(): Promise<Finding[]> {
  try {
    const found = switchesWith();
    const lines = switchLines(found).map((text) => ({ well: true, text }));
    if (found.sandbox === false) return lines;
    // The level of the sandbox says that it is on.
    return [await sandboxFinding(found.sandbox), ...lines.slice(1)];
  } catch (error) {
    const { message: text, advice } = error as CliError;
    return [{ well: false, text, advice }];
  }
}
