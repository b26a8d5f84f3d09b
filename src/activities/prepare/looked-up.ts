import type { ActionRegistry } from '../../actions/types';
import type { TypedProblem } from '../../lib/base/spec-problem';
import type { ExternalCalls } from '../../lib/external';
import type { Models } from '../../lib/models/types';

interface WatchedDependencies {
  models: Models;
  actions: ActionRegistry;
  external?: ExternalCalls | false;
}

/** The types of problems with names that only this worker may lack: another one may know them. */
const OF_NAMES: ReadonlySet<string | undefined> = new Set<NonNullable<TypedProblem['type']>>([
  'UnknownAction',
  'UnknownModel',
  'UnknownCommand',
  'UnknownAgent',
  'UnknownWorkflow',
]);

export class LookedUp {
  readonly #found = new Set<string>();
  readonly #missing = new Set<string>();

  /** @param known names that the worker knew which checked the parent run */
  constructor(private readonly known: readonly string[] = []) {}

  note(kind: 'action' | 'model' | 'command' | 'agent' | 'workflow', name: string, isKnown: boolean): void {
    (isKnown ? this.#found : this.#missing).add(`${kind} ${name}`);
  }

  /** Such as `action fetch`. */
  get found(): string[] {
    return [...this.#found];
  }

  /** Whether another worker knew a name that this one does not. */
  get missesKnown(): boolean {
    return this.known.some((name) => this.#missing.has(name));
  }

  isKnownElsewhere(problems: readonly TypedProblem[]): boolean {
    const missing = [...this.#missing];
    return (
      problems.length > 0 &&
      problems.every(({ type }) => OF_NAMES.has(type)) &&
      missing.length > 0 &&
      missing.every((name) => this.known.includes(name))
    );
  }
}

export function noteLookups<Given extends WatchedDependencies>(
  given: Given,
  known?: readonly string[],
): Given & { lookedUp: LookedUp } {
  const lookedUp = new LookedUp(known);
  const { models, actions, external } = given;
  return {
    ...given,
    lookedUp,
    models: {
      ...models,
      problem(name) {
        const message = models.problem(name);
        if (name !== undefined) lookedUp.note('model', name, message === undefined);
        return message;
      },
    },
    actions: {
      ...actions,
      find(name) {
        const action = actions.find(name);
        lookedUp.note('action', name, action !== undefined);
        return action;
      },
    },
    ...(external && { external: { ...external, commands: watchedCommands(external, lookedUp) } }),
  };
}

function watchedCommands({ commands = {} }: ExternalCalls, lookedUp: LookedUp): NonNullable<ExternalCalls['commands']> {
  return new Proxy(commands, {
    getOwnPropertyDescriptor(target, name) {
      const found = Reflect.getOwnPropertyDescriptor(target, name);
      lookedUp.note('command', String(name), found !== undefined);
      return found;
    },
  });
}
