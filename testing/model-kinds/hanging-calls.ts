import type { ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import type { ReflectionSpec } from '../../src/loop/contract/spec';

/** A loop whose calls can be told apart by their prompts: for workers that are killed while one is in flight. */
export const KILLED_LOOP: ReflectionSpec = {
  generator: { action: 'llm.call', prompt: 'You write a poem.' },
  evaluator: { type: 'llm', prompt: 'You judge poems.' },
  corrector: { action: 'llm.call', prompt: 'You correct this: {{ state.reflection_output }}' },
};

/** The calls of generator, judge and corrector, in their order. */
export const KILLED = ['draft', 'judgement', 'correction'] as const;
type Call = (typeof KILLED)[number] | 'second judgement';

const REPLIES: Record<Call, unknown> = {
  draft: 'a first poem',
  judgement: { valid: false, score: 0.2, reason: 'flat', issues: ['it is flat'] },
  correction: 'a better poem',
  'second judgement': { valid: true, score: 0.9, reason: 'vivid', issues: [] },
};

/** Which call a prompt is of. */
export function callOf(prompt: string): Call {
  if (prompt.includes('You judge')) return prompt.includes('a better poem') ? 'second judgement' : 'judgement';
  return prompt.includes('You correct') ? 'correction' : 'draft';
}

/** The first of each call in which the worker is killed never ends; the second is answered. */
export function answerTo(call: Call, asked: number): ScriptEntry {
  if (asked === 1 && call !== 'second judgement') return { fault: 'hang' };
  return { reply: REPLIES[call], usage: { prompt: 10, completion: 1 } };
}
