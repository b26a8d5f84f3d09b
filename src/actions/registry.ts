import { didYouMean } from '../lib/names/nearest-name';
import type { Action, ActionRegistry } from './types';

const RESERVED_NAMES = new Set(['llm.call', 'reflection.loop', 'reflection.evaluate', 'reflection.correct']);

export class UnknownAction extends Error {
  override name = 'UnknownAction';
}

/** Collects actions by name. Throws for a name that is taken or reserved. */
export function createActionRegistry(actions: readonly Action[]): ActionRegistry {
  const byName = new Map<string, Action>();
  for (const action of actions) {
    const { name, maximumAttempts = 1 } = action;
    if (RESERVED_NAMES.has(name)) throw new Error(`"${name}" is built in: choose another name for the action`);
    if (byName.has(name)) throw new Error(`two actions have the name "${name}"`);
    if (!Number.isInteger(maximumAttempts) || maximumAttempts < 1) {
      throw new Error(`maximumAttempts of the action "${name}" is a whole number from 1, not ${maximumAttempts}`);
    }
    if (action.local && action.maximumAttempts !== undefined) {
      throw new Error(
        `the action "${name}" is local, and so may be run again after a crash: it has no maximumAttempts`,
      );
    }
    byName.set(name, action);
  }
  const names = [...byName.keys()];
  return {
    names,
    find: (name) => byName.get(name),
    get(name) {
      const action = byName.get(name);
      if (!action) throw new UnknownAction(unknownActionMessage(name, names));
      return action;
    },
    whyNot: (name) => unknownActionMessage(name, names),
    learn: () => Promise.resolve(),
  };
}

export function unknownActionMessage(name: string, names: readonly string[]): string {
  const known = ['llm.call', ...names].map((each) => `"${each}"`).join(', ');
  const near = didYouMean(name, ['llm.call', ...names]);
  return `action "${name}" is not registered on this worker${near}; it has ${known}`;
}
