import type { ActionRegistry } from '../../actions/types';

/** What some actions declare to need, by their names. */
export function needsOfActions(names: readonly string[], actions: ActionRegistry): Record<string, string[]> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const needs = actions.find(name)?.needs;
      return needs ? [[name, [...needs]]] : [];
    }),
  );
}

/** Those of some actions that run as local activities, as a setting that is absent when there are none. */
export function localActions(names: readonly string[], actions: ActionRegistry): { localActions?: string[] } {
  const local = [...new Set(names)].filter((name) => actions.find(name)?.local);
  return local.length === 0 ? {} : { localActions: local };
}
