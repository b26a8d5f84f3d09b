import { type ChildProcess, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import type { Json } from '../json/json';
import { secretsOf, withoutSecrets, withoutSecretsInside } from '../text/secrets';
import type { ExternalRequest } from './post-json';
import { withTimeout } from '../timeout';
import { readJson, readWithinLimit } from './read-answer';
import { type ExternalCommand, ExternalCallFailed } from './types';

const ERROR_CHARACTERS = 2_000;
const ERROR_LINES = 5;
/** The shortest value of a variable that counts as a secret: shorter ones are found by accident. */
const SHORTEST_VALUE = 6;
const INHERITED = ['PATH', 'HOME', 'LANG', 'TZ'];

/**
 * Runs a registered program: JSON on its standard input, JSON from its standard output, no shell. It gets a process group of its
 * own, which ends with it: when it is done, takes too long, or no caller waits for it any more. Its output and its errors are
 * returned without the secrets of its environment. Throws ExternalCallFailed when it gives no usable answer.
 */
export async function runCommand(name: string, command: ExternalCommand, request: ExternalRequest): Promise<Json> {
  const { env = {} } = command;
  try {
    const answer = await readAnswer(name, command, request);
    return withoutSecretsInside(answer, secretsOf(env)) as Json;
  } catch (error) {
    if (!(error instanceof ExternalCallFailed)) throw error;
    // What a program says when it fails is more than what it was to answer: none of its variables is in it.
    const secrets = [...secretsOf(env), ...Object.values(env).filter((value) => value.length >= SHORTEST_VALUE)];
    throw new ExternalCallFailed(withoutSecrets(error.message, secrets), error.isFault);
  }
}

async function readAnswer(
  name: string,
  { command, args = [], env = {}, cwd = tmpdir() }: ExternalCommand,
  { body, timeoutMs, signal }: ExternalRequest,
): Promise<Json> {
  signal.throwIfAborted();
  const who = `command "${name}"`;
  const child = spawn(command, args, {
    cwd,
    env: { ...readInheritedVariables(), ...env },
    shell: false,
    // A separate process group, so that the processes that it started end, too.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const stop = (): void => {
    endGroup(child);
    // What has left the group may hold these open for ever.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
  };
  return withTimeout(timeoutMs, signal, async (limited, isTimeUp) => {
    limited.addEventListener('abort', stop);
    try {
      // It may end, or never begin, without reading its input.
      child.stdin.on('error', () => undefined);
      child.stdin.end(JSON.stringify(body));
      const [output, errors, code] = await Promise.all([
        readWithinLimit(child.stdout, who),
        readFirstCharacters(child),
        waitForEnd(child, who),
      ]);
      signal.throwIfAborted();
      if (isTimeUp()) throw new ExternalCallFailed(`${who} did not answer within ${timeoutMs} ms`);
      if (code !== 0)
        throw new ExternalCallFailed(`${who} ended with ${code}${errors === '' ? '' : `: ${errors}`}`, true);
      return readJson(output, who);
    } catch (error) {
      signal.throwIfAborted();
      if (isTimeUp() && !(error instanceof ExternalCallFailed)) {
        throw new ExternalCallFailed(`${who} did not answer within ${timeoutMs} ms`);
      }
      throw error;
    } finally {
      stop();
    }
  });
}

function readInheritedVariables(): Record<string, string> {
  return Object.fromEntries(INHERITED.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

/** Waits for the exit code or the signal; processes that it left running end, too, with their pipes. */
function waitForEnd(child: ChildProcess, who: string): Promise<number | string> {
  return new Promise((resolve, reject) => {
    child.once('error', ({ message }) => reject(new ExternalCallFailed(`${who} cannot be started: ${message}`)));
    child.once('exit', (code, signal) => {
      endGroup(child);
      resolve(code ?? signal ?? 'nothing');
    });
  });
}

async function readFirstCharacters({ stderr }: ChildProcess): Promise<string> {
  let text = '';
  for await (const chunk of stderr as AsyncIterable<Buffer>) {
    if (text.length < ERROR_CHARACTERS) text += chunk.toString('utf8');
  }
  const lines = text.slice(0, ERROR_CHARACTERS).trim().split('\n');
  // Some say first what happened, and others last.
  const shown = lines.length > ERROR_LINES ? [...lines.slice(0, ERROR_LINES), lines.at(-1)!] : lines;
  return shown.map((line) => line.trim()).join(' · ');
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}
