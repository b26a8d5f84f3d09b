import type { Scenario } from '../scenario';
import { judged, judgement, written } from './specs';

const scored = (score: number) => ({ valid: null, score, reason: 'hm', issues: [], suggestions: [], confidence: 0.9 });

/** Judges that are never satisfied, or too soon. */
export const strictness: Scenario[] = [
  {
    name: 'relaxation',
    ends: 'quality_met',
    spec: judged('relaxation', { judge: { relaxation: { step: 0.05, floor: 0.7 } } }),
    script: [
      written({ reply: 'poem' }),
      judgement({ reply: scored(0.72) }),
      written({ reply: 'another' }),
      judgement({ reply: scored(0.76) }),
    ],
  },
  {
    name: 'second-judge',
    ends: 'quality_met',
    spec: judged('second-judge', {
      judge: { second: { type: 'llm', prompt: 'You doubt poems.\n{{ state.reflection_output }}' } },
    }),
    script: [
      written({ reply: 'poem' }),
      judgement({ reply: scored(0.85) }),
      { match: 'You doubt', reply: scored(0.4) },
      written({ reply: 'another' }),
      judgement({ reply: scored(0.96) }),
    ],
  },
];
