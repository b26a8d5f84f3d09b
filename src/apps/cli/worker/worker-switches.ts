import {
  type AllowLists,
  externalCallsFrom,
  namesFrom,
  sandboxFrom,
  type Switches,
  workerSwitches,
  type WorkOptions,
} from '../../../worker';
import { omitUndefined } from '../../../lib/base/defined';
import { setting } from '../support/options';

export interface SwitchFlags {
  sandbox?: string;
  /** `on`, `off` or hosts. */
  externalCalls?: string;
  allowActions?: string;
  allowAgents?: string;
  allowModels?: string;
  allowWorkflows?: string;
}

export function switchOptions(flags: SwitchFlags): Pick<WorkOptions, 'sandbox' | 'externalCalls' | 'allow'> {
  const { sandbox, externalCalls, allowActions, allowAgents, allowModels, allowWorkflows } = flags;
  const lists = { actions: allowActions, agents: allowAgents, models: allowModels, workflows: allowWorkflows };
  const allow = Object.entries(lists).flatMap(([key, names]) => (names === undefined ? [] : [[key, namesFrom(names)]]));
  return omitUndefined({
    sandbox: sandbox === undefined ? undefined : setting(['--sandbox'], () => sandboxFrom(sandbox)),
    externalCalls: externalCalls === undefined ? undefined : callsOf(externalCalls),
    allow: Object.fromEntries(allow) as AllowLists,
  });
}

/** Reads the flag, which wins over the variable, where it is `on`, too. */
function callsOf(text: string): NonNullable<WorkOptions['externalCalls']> {
  return text === 'on' ? { hosts: ['*'] } : externalCallsFrom(text, '--external-calls');
}

export function switchesWith(flags: SwitchFlags = {}): Switches {
  const { REFLECT_SANDBOX: sandbox } = process.env;
  setting(['REFLECT_SANDBOX'], () => sandbox && sandboxFrom(sandbox));
  return setting([], () => workerSwitches(switchOptions(flags), process.env));
}
