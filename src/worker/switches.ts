import { isSwitchedOn } from '../lib/base/switched-on';
import { hostEntryProblem } from '../lib/external';
import { type SandboxOptions, sandboxLevel } from '../lib/sandbox';
import { isTrueOrFalse } from '../loop/errors/config-fields';
import type { AllowLists, ExternalCallsOptions, WorkOptions } from './work-options';

/** The features that a worker runs and calls on behalf of specs. */
export interface Switches {
  /** False: no inline code. */
  sandbox: SandboxOptions | false;
  /** False: no external calls. */
  externalCalls: ExternalCallsOptions | false;
  allow: AllowLists;
}

/** For an empty list in a variable, because an empty variable counts as not set. */
const NONE = 'none';

/**
 * Parses `externalCalls` from a text: `on`, `off`, or comma-separated hosts.
 *
 * @throws TypeError for a host that is not valid
 */
export function externalCallsFrom(text: string, what: string): ExternalCallsOptions | false {
  if (text === 'off') return false;
  return text === 'on' ? {} : { hosts: checkedHosts(namesFrom(text), what) };
}

/** Parses a comma-separated list of names; `none` is an empty list. */
export function namesFrom(text: string): string[] {
  const trimmed = text.trim();
  return trimmed === NONE ? [] : trimmed.split(',').flatMap((name) => name.trim() || []);
}

/** Parses `sandbox` from a text: `off` or a level. */
export function sandboxFrom(text: string): SandboxOptions | false {
  return text === 'off' ? false : { level: sandboxLevel(text) };
}

/**
 * Reads the switches of a worker: from its options, and for those that are left out from its environment.
 *
 * @throws TypeError for an invalid value: a misspelt switch must not leave something on
 */
export function workerSwitches(
  options: Pick<WorkOptions, 'sandbox' | 'externalCalls' | 'allow'>,
  env: NodeJS.ProcessEnv,
): Switches {
  return {
    sandbox: sandboxOf(options.sandbox, env['REFLECT_SANDBOX']),
    externalCalls: callsOf(options.externalCalls, env),
    allow: allowOf(options.allow, env),
  };
}

function sandboxOf(asked: SandboxOptions | false | undefined, variable: string | undefined): Switches['sandbox'] {
  if (asked === false) return false;
  const options = objectOf('sandbox', asked);
  const byVariable = variable ? sandboxFrom(variable) : {};
  if (options.level === undefined && byVariable === false) return false;
  const { level = byVariable === false ? undefined : byVariable.level } = options;
  return { ...options, ...(level && { level }) };
}

export function allowsPrivateAddresses(externalCalls: WorkOptions['externalCalls'], env: NodeJS.ProcessEnv): boolean {
  return (externalCalls || {}).allowPrivateAddresses ?? isSwitchedOn(env['REFLECT_ALLOW_PRIVATE_ADDRESSES']);
}

function callsOf(asked: ExternalCallsOptions | false | undefined, env: NodeJS.ProcessEnv): Switches['externalCalls'] {
  if (asked === false) return false;
  const { hosts, ...options } = objectOf('externalCalls', asked, ['allowPrivateAddresses', 'hosts']);
  const problem = isTrueOrFalse(options.allowPrivateAddresses ?? false);
  if (problem !== undefined) throw new TypeError(`externalCalls.allowPrivateAddresses ${problem}`);
  const variable = env['REFLECT_EXTERNAL_CALLS'];
  const byVariable = variable ? externalCallsFrom(variable, 'REFLECT_EXTERNAL_CALLS') : {};
  const allowPrivateAddresses = allowsPrivateAddresses(options, env);
  if (hosts !== undefined) return { allowPrivateAddresses, hosts: checkedHosts(listOf('externalCalls.hosts', hosts)) };
  return byVariable && { ...byVariable, allowPrivateAddresses };
}

function allowOf(asked: AllowLists | undefined, env: NodeJS.ProcessEnv): AllowLists {
  const lists = objectOf('allow', asked, ['actions', 'agents', 'models', 'workflows']);
  const names = (key: keyof AllowLists): AllowLists => {
    const variable = env[`REFLECT_ALLOWED_${key.toUpperCase()}`];
    if (lists[key] !== undefined) return { [key]: listOf(`allow.${key}`, lists[key]) };
    return variable ? { [key]: namesFrom(variable) } : {};
  };
  return { ...names('actions'), ...names('agents'), ...names('models'), ...names('workflows') };
}

/** Options as they may come from JavaScript. */
function objectOf<T extends object>(
  what: string,
  value: T | undefined,
  keys?: readonly (keyof T & string)[],
): Partial<T> {
  if (value === undefined) return {};
  if (typeof value !== 'object' || (value as unknown) === null || Array.isArray(value)) {
    throw new TypeError(
      `${what} is ${JSON.stringify(value)}; it takes an object${what === 'allow' ? '' : ', or false for off'}`,
    );
  }
  const unknown = Object.keys(value).find((key) => keys !== undefined && !(keys as readonly string[]).includes(key));
  if (unknown !== undefined) throw new TypeError(`${what}.${unknown} is unknown; there are ${keys!.join(', ')}`);
  return value;
}

function listOf(what: string, value: unknown): string[] {
  if (Array.isArray(value) && value.every((each) => typeof each === 'string' && each !== '')) return value as string[];
  throw new TypeError(`${what} must be a list of names`);
}

function checkedHosts(hosts: string[], what = 'externalCalls.hosts'): string[] {
  const problem = hosts.map(hostEntryProblem).find((each) => each !== undefined);
  if (problem === undefined) return hosts;
  throw new TypeError(`${what}: ${problem}`);
}

/** Describes the switches for an operator, one per line. */
export function switchLines({ sandbox, externalCalls, allow }: Switches): string[] {
  const joinNames = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.join(', '));
  const { hosts, allowPrivateAddresses } = externalCalls || {};
  const where = hosts === undefined ? 'to all hosts' : `to ${joinNames(hosts)}`;
  const which = allowPrivateAddresses ? 'private addresses too' : 'public addresses only';
  const lists = Object.entries(allow) as [string, string[]][];
  return [
    `Inline code: ${sandbox === false ? 'off' : 'on'}`,
    `External calls: ${externalCalls === false ? 'off' : `${where}, ${which}`}`,
    ...lists.map(([what, names]) => `Served ${what}: ${joinNames(names)}`),
  ];
}
