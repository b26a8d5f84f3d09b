import { CodeFailed, LONGEST_CODE, type Sandbox, SandboxUnavailable } from '../../actions/inline-code';
import { isJsonObject } from '../../lib/json/json';
import type { StepLanguage } from '../../lib/sandbox/languages';
import type { PrepareDependencies } from '../dependencies';
import { learnActions } from './learned-actions';
import { atMost } from '../../lib/timeout';

/** The time limit for reading the code of one language, in milliseconds: shorter than that of a local activity. */
const READ_MS = 20_000;

/** The maximum number of pieces of code that are read before a run: enough for a plan with code in each of its tasks. */
const MOST_PIECES = 1_000;

const LANGUAGES: Readonly<Record<StepLanguage, true>> = { javascript: true, lua: true, prolog: true, python: true };

function isLanguage(value: unknown): value is StepLanguage {
  return typeof value === 'string' && Object.hasOwn(LANGUAGES, value);
}

/**
 * Returns the texts inside an unchecked value that may be inline code, by their languages. Reading a text that only looks
 * like code does no harm.
 */
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

/** Reads all code of a spec, and returns a sandbox that knows its mistakes. */
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

/**
 * Asks for what the check of a spec needs: the tools of the servers that it names, and the mistakes in its inline code.
 *
 * @throws ApplicationFailure when a server is away
 */
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
