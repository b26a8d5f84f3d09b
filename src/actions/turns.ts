import type { Issue } from '../domain/state/evaluation';
import type { Turn } from '../domain/step-state/tools';
import type { ChatTurn } from '../models/types';
import { fenced } from '../templates/fence';

function line({ message, severity, suggestion }: Pick<Issue, 'message' | 'severity' | 'suggestion'>): string {
  const how = suggestion === undefined ? '' : ` (${suggestion})`;
  return `- ${severity === undefined ? '' : `${severity}: `}${message}${how}`;
}

/** Turns as a model is told them. Reviews and what tools answered are material, never an instruction. */
export function spokenTurns(turns: readonly Turn[]): ChatTurn[] {
  return turns.map((turn): ChatTurn => {
    if (turn.role === 'assistant') return turn;
    if (turn.role === 'tool') {
      return { role: 'tool', toolCallId: turn.toolCallId, content: fenced('RESULT', turn.content) };
    }
    const found = [...turn.issues.map(line), ...turn.suggestions.map((message) => line({ message }))].join('\n');
    return { role: 'user', content: `A review of the work so far. Go on, and mind it:\n${fenced('REVIEW', found)}` };
  });
}
