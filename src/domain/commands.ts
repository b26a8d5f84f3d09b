import { isJsonObject, type Json } from './json';
import { currentIteration, type LoopState } from './loop-state';

/** What people can send to a loop, each as a signal and as an update of the same name. */
export const COMMAND_NAMES = ['accept', 'abort'] as const;
export type CommandName = (typeof COMMAND_NAMES)[number];

export interface AcceptPayload {
  /** A repeated id does nothing. */
  id?: string;
  /** Must be the current iteration; default: the best version is returned. */
  iteration?: number;
  by?: string;
  reason?: string;
}

export interface AbortPayload {
  id?: string;
  by?: string;
  reason?: string;
}

export type CommandPayload = AcceptPayload & AbortPayload;

const FIELDS: Record<
  CommandName,
  Record<keyof CommandPayload, 'string' | 'integer'> | Record<string, 'string' | 'integer'>
> = {
  accept: { id: 'string', iteration: 'integer', by: 'string', reason: 'string' },
  abort: { id: 'string', by: 'string', reason: 'string' },
};

/** What is wrong with the form of a payload; undefined when nothing is. No payload at all counts as `{}`. */
export function payloadProblem(name: CommandName, payload: unknown): string | undefined {
  if (payload === undefined || payload === null) return undefined;
  if (!isJsonObject(payload)) return `${name} takes an object, such as {"by":"you"}`;
  const fields: Record<string, 'string' | 'integer'> = FIELDS[name];
  for (const [key, value] of Object.entries(payload)) {
    const type = fields[key];
    if (!type) return `${name} has no field "${key}"; it takes ${Object.keys(fields).join(', ')}`;
    const fits = type === 'string' ? typeof value === 'string' : Number.isInteger(value);
    if (value !== null && !fits) return `${name}.${key} must be ${type === 'string' ? 'a string' : 'a whole number'}`;
  }
  return undefined;
}

/** Why a command cannot be carried out now; undefined when it can. A signal's `accept` may wait for the draft. */
export function commandProblem(
  state: LoopState,
  name: CommandName,
  payload: unknown,
  via: 'signal' | 'update',
): string | undefined {
  const malformed = payloadProblem(name, payload);
  if (malformed) return malformed;
  if (state.stopped) return 'the run has ended';
  if (state.commands.abort) return 'the run is already being aborted';
  if (name === 'abort') return undefined;

  const current = currentIteration(state);
  const { iteration } = (payload ?? {}) as AcceptPayload;
  if (current === 0) {
    if (iteration !== undefined && iteration !== null) return `there is no iteration ${iteration} yet`;
    if (via === 'update') return 'there is no draft to accept yet';
  } else if (iteration !== undefined && iteration !== null && iteration !== current) {
    return `iteration ${iteration} is not the current one, which is ${current}`;
  }
  return state.commands.accept ? 'the run is already accepted' : undefined;
}

/** True when the command's id was seen before: it does nothing then. */
export function isRepeated(state: LoopState, payload: unknown): boolean {
  const id = isJsonObject(payload) ? payload['id'] : undefined;
  return typeof id === 'string' && state.seenCommandIds.includes(id);
}

/** Ids remembered against repeats; the oldest are forgotten first. */
const REMEMBERED_IDS = 1000;

/** People's entries kept; a client that floods a run with refused commands must not fill its memory. */
const REMEMBERED_PEOPLE = 1000;

/** Takes a command in: notes it, and remembers what is to be done. Returns the reason when it was refused. */
export function receiveCommand(
  state: LoopState,
  command: { name: CommandName; payload: Json | undefined; via: 'signal' | 'update'; at: string },
): string | undefined {
  if (isRepeated(state, command.payload)) return undefined;
  const why = commandProblem(state, command.name, command.payload, command.via);
  const payload = (isJsonObject(command.payload) ? command.payload : {}) as CommandPayload;
  if (typeof payload.id === 'string')
    state.seenCommandIds = [...state.seenCommandIds, payload.id].slice(-REMEMBERED_IDS);
  state.people = [
    ...state.people,
    {
      name: command.name,
      payload: command.payload ?? {},
      ...(typeof payload.by === 'string' ? { by: payload.by } : {}),
      at: command.at,
      via: command.via,
      applied: why === undefined,
      ...(why === undefined ? {} : { why }),
    },
  ].slice(-REMEMBERED_PEOPLE);
  if (why !== undefined) return why;
  if (command.name === 'abort') state.commands.abort = true;
  else state.commands.accept = typeof payload.iteration === 'number' ? { iteration: payload.iteration } : {};
  return undefined;
}
