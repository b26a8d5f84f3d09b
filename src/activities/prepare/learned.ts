import { CodeFailed, LONGEST_CODE, type Sandbox, SandboxUnavailable } from '../../actions/inline-code';
import { isJsonObject } from '../../lib/json/json';
import type { StepLanguage } from '../../lib/sandbox/languages';
import type { PrepareDependencies } from '../dependencies';
import { atMost, withTimeout } from '../../lib/timeout';
import { ApplicationFailure } from '@temporalio/common';
import type { ActionRegistry } from '../../actions/types';
import { currentContext } from './checks';

/** The time limit of one attempt to ask servers for their tools. A run takes no command during an attempt, and takes them between two. */
const LEARN_MS = 2_000;
const WAIT_MS = 5 * 60_000;
/** The form of the names of servers' tools, the only names that a worker has to ask for. */
const LEARNED = /^mcp\.[\w-]{1,32}\.\S{1,256}$/;

/** Lists texts that may be names to be learned. The value was not checked: it may be nested deeply. */
function namesIn(value: unknown): Set<string> {
  const names = new Set<string>();
  const left: unknown[] = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === 'string' && LEARNED.test(next)) names.add(next);
    else if (typeof next === 'object' && next !== null) for (const inner of Object.values(next)) left.push(inner);
  }
  return names;
}

/** Milliseconds since the task queue first got this check; 0 for a local activity. */
function waitedMs(): number {
  const { info } = currentContext() ?? {};
  if (!info || info.isLocal) return 0;
  return info.currentAttemptScheduledTimestampMs - info.scheduledTimestampMs;
}

function permanent({ type, message }: ApplicationFailure): ApplicationFailure {
  return ApplicationFailure.create({ type: type ?? undefined, message, nonRetryable: true });
}

/** While a server does not answer, the check is retried for some minutes. Throws when a server is away. */
async function learnActions(spec: unknown, { actions }: { actions: ActionRegistry }): Promise<void> {
  const names = [...namesIn(spec)];
  if (names.length === 0) return;
  await withTimeout(LEARN_MS, currentContext()?.cancellationSignal, async (signal, isTimeUp) => {
    try {
      await actions.learn(names, signal);
    } catch (error) {
      const servers = [...new Set(names.map((name) => JSON.stringify(name.split('.')[1])))].join(' or ');
      const late = { type: 'Mcp.Unavailable', message: `MCP server ${servers} has not listed its tools yet` };
      const failure = isTimeUp() ? ApplicationFailure.create({ ...late, nextRetryDelay: '3s' }) : error;
      if (!(failure instanceof ApplicationFailure)) throw failure;
      // A server that is there and says nothing is not one that comes back.
      throw failure.type === 'Mcp.Timeout' || waitedMs() > WAIT_MS ? permanent(failure) : failure;
    }
  });
}

/** The time limit for reading the code of one language, in milliseconds: shorter than that of a local activity. */
const READ_MS = 20_000;

/** The maximum number of pieces of code that are read before a run: enough for a plan with code in each of its tasks. */
const MOST_PIECES = 1_000;

const LANGUAGES: Readonly<Record<StepLanguage, true>> = { javascript: true, lua: true, prolog: true, python: true };

function isLanguage(value: unknown): value is StepLanguage {
  return typeof value === 'string' && Object.hasOwn(LANGUAGES, value);
}

/** Lists texts that may be inline code, by language. Reading a text that only looks like code does no harm. */
function codesIn(value: unknown): Map<StepLanguage, Set<string>> {
  const codes = new Map<StepLanguage, Set<string>>();
  const left: unknown[] = [value];
  let count = 0;
  while (left.length > 0 && count < MOST_PIECES) {
    const next = left.pop();
    if (typeof next !== 'object' || next === null) continue;
    // One by one: a list may have more entries than a call can have arguments.
    for (const inner of Object.values(next)) left.push(inner);
    if (!isJsonObject(next)) continue;
    const { run, language = 'python' } = next;
    if (typeof run !== 'string' || !isLanguage(language) || run.trim() === '' || run.length > LONGEST_CODE) continue;
    codes.set(language, (codes.get(language) ?? new Set()).add(run));
    count += 1;
  }
  return codes;
}

/** Waits for code to be read, unless that takes too long: all processes may be in use, or one has to be loaded. */
async function waitForReading<T>(reading: Promise<T>, language: StepLanguage): Promise<T> {
  return atMost(READ_MS, reading, () => {
    throw new CodeFailed(language, 'unavailable', `no process read it within ${READ_MS} ms`);
  });
}

async function withMistakes(value: unknown, sandbox: Sandbox): Promise<{ sandbox: Sandbox; unread?: string }> {
  const mistakes = new Map<string, string>();
  const key = (language: StepLanguage, code: string): string => `${language} ${code}`;
  let unread: string | undefined;
  for (const [language, codes] of codesIn(value)) {
    // Without its interpreter it is refused anyway.
    if (sandbox.problem(language) !== undefined) continue;
    const list = [...codes];
    try {
      const found = await waitForReading(sandbox.check(language, list), language);
      for (const [index, mistake] of found.entries()) {
        if (mistake !== undefined) mistakes.set(key(language, list[index]!), `has a mistake: ${mistake}`);
      }
    } catch (error) {
      // `demandSandbox` refuses such a run.
      if (error instanceof SandboxUnavailable) continue;
      if (!(error instanceof CodeFailed)) throw error;
      unread = error.message;
    }
  }
  const problem: Sandbox['problem'] = (language, code) =>
    sandbox.problem(language) ?? (code === undefined ? undefined : mistakes.get(key(language, code)));
  return { sandbox: { ...sandbox, problem }, ...(unread !== undefined && { unread }) };
}

/** Asks for the tools and the mistakes in code that a check needs. Throws when a server is away. */
export async function learnNeeds<Dependencies extends PrepareDependencies>(
  value: unknown,
  dependencies: Dependencies,
): Promise<Dependencies> {
  await learnActions(value, dependencies);
  const { sandbox } = dependencies;
  if (!sandbox) return dependencies;
  const { unread, ...known } = await withMistakes(value, sandbox);
  return { ...dependencies, ...known, ...(unread !== undefined && { unreadCode: unread }) };
}
