import type { ToolCall } from '../../lib/models/types';
import { fnv1a } from '../../lib/base/hash';
import { isModelCall } from '../spec/steps';
import type { Step } from '../contract/steps';
import type { Turn } from '../state/model-reply';
import { renderCount } from '../../lib/text/counted';

const DEFAULT_TOOL_ROUNDS = 10;

export const TOOL_RESULT_CHARACTERS = 16 * 1024;

const UNFINISHED_CHARACTERS = 32 * 1024;

const TOOL_NAME_CHARACTERS = 64;

/** The name by which a model calls an action: providers take letters, digits, _ and -, and no dots. */
export function toolName(action: string): string {
  const name = action.replaceAll(/[^\w-]/g, '_');
  if (name.length <= TOOL_NAME_CHARACTERS) return name;
  const hash = fnv1a(action).toString(16).padStart(8, '0');
  return `${name.slice(0, TOOL_NAME_CHARACTERS - hash.length - 1)}_${hash}`;
}

/** The calls that a model requests, by the names of the actions that it was offered. */
export function callsOfActions(calls: readonly ToolCall[], actions: readonly string[]): ToolCall[] {
  const byName = new Map(actions.map((action) => [toolName(action), action]));
  return calls.map((call) => ({ ...call, name: byName.get(call.name) ?? call.name }));
}

export function toolRounds(step: Step): number {
  if (!isModelCall(step) || !step.tools || step.tools.length === 0) return 0;
  return step.maxToolRounds ?? DEFAULT_TOOL_ROUNDS;
}

export function shortenText(text: string, limit: number): string {
  return text.length <= limit
    ? text
    : `${text.slice(0, limit)}\n[cut off: ${renderCount(text.length - limit, 'more character')}]`;
}

export function outputSoFar(turns: readonly Turn[]): string {
  const lines = turns.flatMap((turn) => {
    if (turn.role === 'review' || turn.role === 'request') return [];
    if (turn.role === 'tool') return [`${turn.name} answered: ${turn.content}`];
    const calls = turn.toolCalls.map((call) => `calls ${call.name}(${call.arguments})`);
    return [...(turn.content === '' ? [] : [turn.content]), ...calls];
  });
  const text = lines.join('\n');
  return text.length <= UNFINISHED_CHARACTERS ? text : text.slice(-UNFINISHED_CHARACTERS);
}
