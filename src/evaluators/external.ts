import ms, { type StringValue } from 'ms';
import type { Json } from '../lib/json/json';
import type { ExternalEvaluator } from '../loop/contract/evaluators';
import {
  CALLS_ARE_OFF,
  ExternalCallFailed,
  type ExternalCalls,
  type ExternalRequest,
  ExternalUnavailable,
  postJson,
  runCommand,
  urlProblem,
} from '../lib/external';
import { redact } from '../lib/redact';
import { brokenJudgement, inconclusiveJudgement } from './judgement';
import type { EvaluationInput, EvaluatorKind } from './types';
import { judgementOfValue } from './value-judgement';
import type { Duration } from '../lib/contract/values';
import type { TypedProblem } from '../lib/base/spec-problem';

const DEFAULT_TIMEOUT = '30s';

/** The service gets `{ output, task?, state, evidence? }`. If away, it is tried until `timeouts.retryFor`; else it has not judged. */
export const externalEvaluator: EvaluatorKind<ExternalEvaluator> = {
  type: 'external',

  problems({ url, command }, { external = {} }) {
    if ((url === undefined) === (command === undefined)) {
      return [{ path: '/url', message: 'an external evaluator has either `url` or `command`' }];
    }
    if (external === false) return [{ path: url === undefined ? '/command' : '/url', message: CALLS_ARE_OFF }];
    if (url === undefined) return commandProblems(command!, external);
    const message = urlProblem(url, external);
    return message === undefined ? [] : [{ path: '/url', message }];
  },

  async evaluate(config, input, { external = {}, signal }) {
    signal.throwIfAborted();
    const timeoutMs = Math.min(milliseconds(config.timeout ?? DEFAULT_TIMEOUT), input.timeoutMs);
    try {
      const value = await requestAnswer(config, { body: bodyOf(input), timeoutMs, signal }, external);
      return judgementOfValue(value, {
        name: config.name ?? config.type,
        what: config.command === undefined ? withoutQuery(config.url!) : `command "${config.command}"`,
        qualityThreshold: input.qualityThreshold,
      });
    } catch (error) {
      if (!(error instanceof ExternalCallFailed)) throw error;
      const why = redact(`${error.message}.`);
      return error.isFault ? brokenJudgement(why) : inconclusiveJudgement(why);
    }
  },
};

function requestAnswer(
  { url, command }: ExternalEvaluator,
  request: ExternalRequest,
  external: ExternalCalls | false,
): Promise<Json> {
  // A run may have been checked by a worker that does make them.
  if (external === false) throw new ExternalCallFailed(`the call ${CALLS_ARE_OFF}`);
  if (command === undefined) return postJson(url!, request, external);
  const registered = external.commands?.[command];
  // The worker that prepared the run has it: another worker may.
  if (!registered) throw new ExternalUnavailable(commandProblems(command, external)[0]!.message);
  return runCommand(command, registered, request);
}

function commandProblems(command: string, { commands = {} }: ExternalCalls): TypedProblem[] {
  if (Object.hasOwn(commands, command)) return [];
  const names = Object.keys(commands).map((name) => `"${name}"`);
  const known = names.length === 0 ? 'it has none (`commands` of the worker)' : `it has ${names.join(', ')}`;
  const message = `command "${command}" is not registered on this worker; ${known}`;
  return [{ path: '/command', message, type: 'UnknownCommand' }];
}

function bodyOf({ output, task, state, evidence }: EvaluationInput): Json {
  const { reflection_output: _output, ...rest } = state;
  const calls = evidence?.calls as Json | undefined;
  return { output, ...(task !== undefined && { task }), state: rest, ...(calls !== undefined && { evidence: calls }) };
}

function milliseconds(duration: Duration): number {
  const exact = typeof duration === 'number' ? duration : ms(duration as StringValue);
  // A signal takes whole milliseconds only.
  return Math.max(1, Math.round(exact));
}

function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
