import { z } from 'zod';
import { mayNeedApproval } from '../../actions/approval';
import { defineAction } from '../../actions/define-action';
import type { ActionRegistry } from '../../actions/types';
import { permanentFailure } from '../failures';
import { questionSettings } from '../../loop/parse/settings';
import type { ReflectionSpec } from '../../loop/contract/spec';
import type { LoopSettings } from '../../loop/state/loop-settings';
import { ASK_PERSON } from '../../loop/step-state/ask-person';
import type { PrepareDependencies } from '../dependencies';

export function needsOfActions(names: readonly string[], actions: ActionRegistry): Record<string, string[]> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const needs = actions.find(name)?.needs;
      return needs ? [[name, [...needs]]] : [];
    }),
  );
}

export function localActions(names: readonly string[], actions: ActionRegistry): { localActions?: string[] } {
  const local = [...new Set(names)].filter((name) => actions.find(name)?.local);
  return local.length === 0 ? {} : { localActions: local };
}

/** The settings of questions and approvals; undefined if the steps' tools need no person. */
export function questionsOf(
  { questions }: Pick<ReflectionSpec, 'questions'>,
  tools: readonly string[],
  actions: ActionRegistry,
): Pick<LoopSettings, 'questions'> {
  const asks = tools.includes(ASK_PERSON) && actions.find(ASK_PERSON) === undefined;
  const approvals = [...new Set(tools)].filter((name) => mayNeedApproval(actions.find(name) ?? {}));
  if (!asks && approvals.length === 0) return {};
  const settings = questionSettings(questions);
  return { questions: { ...settings, ...(asks && { asks }), ...(approvals.length > 0 && { approvals }) } };
}

export function withFunctions(dependencies: PrepareDependencies, functions: string[] = []): PrepareDependencies {
  if (functions.length === 0) return dependencies;
  const { actions } = dependencies;
  const byName = new Map(functions.map((name) => [name, functionAction(name)]));
  return {
    ...dependencies,
    functions,
    actions: { ...actions, find: (name) => byName.get(name) ?? actions.find(name) },
  };
}

/** Defines an action that is found when a spec is checked, and never run: the workflow calls the function itself. */
function functionAction(name: string) {
  return defineAction({
    name,
    description: 'A function of the workflow.',
    input: z.unknown(),
    run: () => {
      throw permanentFailure('StepFailed', `${name} is a function of the workflow that runs the loop`);
    },
  });
}
