import type { Action } from './types';

export function mayNeedApproval({ approval }: Pick<Action, 'approval'>): boolean {
  return approval !== undefined && approval !== false;
}

/** A rule that throws, or that returns anything but `false`, does not allow the call. `input` is parsed already. */
export async function needsApproval({ approval = false }: Pick<Action, 'approval'>, input: unknown): Promise<boolean> {
  if (typeof approval === 'boolean') return approval;
  try {
    const isNeeded: unknown = await approval(input as never);
    return isNeeded !== false;
  } catch {
    return true;
  }
}

/** Describes an action that cannot be called without a person, in a place where no call can wait for one. */
export function describeUnapprovable(name: string): string {
  return (
    `"${name}" needs the approval of a person, for which only a call by a model can wait: list it in \`tools\` of a step of a loop ` +
    '(`approval` of the action, or of its MCP server)'
  );
}
