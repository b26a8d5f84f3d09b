import type { Scenario } from '../scenario';
import { answering, judged, judgement, written } from './specs';

const scored = (score: number) => ({ valid: null, score, reason: 'hm', issues: [], suggestions: [], confidence: 0.9 });
/** Nothing but a score. */
const bare = (score: number) => ({ ...scored(score), reason: '' });

const lacking = { ...scored(0.3), issues: [{ message: 'whose poem?', severity: 'major', missingInformation: true }] };

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
  {
    name: 'nobody-knows',
    ends: 'blocked',
    spec: judged('nobody-knows', { maxIterations: 5, convergence: false }),
    script: [
      written({ reply: 'poem' }),
      judgement({ reply: lacking }),
      written({ reply: 'another' }),
      judgement({ reply: lacking }),
    ],
  },
  {
    name: 'gains-of-a-step',
    ends: 'quality_met',
    // In binary, two of these gains are a little less than the threshold.
    spec: judged('gains-of-a-step', { maxIterations: 6 }),
    script: [0.4, 0.45, 0.5, 0.9].flatMap((score, index) => [
      written({ reply: `poem ${index * 7_919}` }),
      judgement({ reply: bare(score) }),
    ]),
  },
  {
    name: 'numbers-that-rise',
    ends: 'quality_met',
    spec: answering([0.2, 0.35, 0.5, 0.65, 0.9], {
      evaluator: { type: 'custom', run: 'return output' },
      maxIterations: 6,
    }),
  },
  {
    name: 'latest-but-not-from-worse',
    ends: 'max_iterations',
    spec: judged('latest-but-not-from-worse', { maxIterations: 3, bestVersionSelection: 'latest' }),
    script: [0.6, 0.1, 0.65].flatMap((score, index) => [
      written({ reply: `poem ${index * 7_919}` }),
      judgement({ reply: bare(score) }),
    ]),
  },
];
