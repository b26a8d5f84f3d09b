import type { Scenario } from '../scenario';
import { flat, judged, judgement, vivid, written } from './specs';

const better = (place: 'first' | 'second') => ({ reason: 'livelier', better: place, margin: 'clear' });
const answers = (...words: string[]) => ({
  answers: words.map((answer, index) => ({ question: `q${index + 1}`, finding: 'it is long', answer })),
});

/** Judges that fall into parts: votes, both orders of a comparison, criteria of several kinds. */
export const panels: Scenario[] = [
  {
    name: 'votes',
    ends: 'quality_met',
    spec: judged('votes', { judge: { votes: 3 } }),
    script: [
      written({ reply: 'poem' }),
      judgement({ reply: flat, times: 3 }),
      written({ reply: 'another' }),
      judgement({ reply: vivid, times: 2 }),
      judgement({ reply: flat }),
    ],
  },
  {
    name: 'votes-asked-again',
    ends: 'quality_met',
    // Under a budget of calls judges are asked one after the other.
    spec: judged('votes-asked-again', { judge: { votes: 3 }, budget: { modelCalls: 9 } }),
    script: [
      written({ reply: 'poem' }),
      judgement({ reply: vivid }),
      judgement({ status: 401, times: 2 }),
      judgement({ reply: vivid, times: 2 }),
    ],
  },
  {
    name: 'votes-by-half',
    ends: 'quality_met',
    // One of the two is asked twice in each iteration, and never answers.
    spec: judged('votes-by-half', { judge: { votes: 2 }, budget: { modelCalls: 9 } }),
    script: [
      written({ reply: 'poem' }),
      judgement({ reply: flat }),
      judgement({ status: 401, times: 2 }),
      written({ reply: 'another' }),
      judgement({ status: 401 }),
      judgement({ reply: vivid }),
      judgement({ status: 401 }),
    ],
  },
  {
    name: 'comparison-with-prior',
    ends: 'quality_met',
    spec: judged('comparison-with-prior', {
      evaluator: [
        { type: 'llm', prompt: 'You judge {{ state.reflection_output }}' },
        { type: 'comparison', against: 'prior' },
        { type: 'comparison', name: 'same', against: 'prior', method: 'similarity', weight: 0.1 },
      ],
      qualityThreshold: 0.2,
    }),
    script: [
      written({ reply: 'a poem' }),
      judgement({ reply: flat }),
      written({ reply: 'a poem too' }),
      { match: '<<<FIRST \\w+..a poem too', reply: better('first') },
      { match: '<<<SECOND \\w+..a poem too', reply: better('second') },
      judgement({ reply: vivid }),
    ],
  },
  {
    name: 'criteria-of-kinds',
    ends: 'quality_met',
    spec: judged('criteria-of-kinds', {
      evaluator: {
        type: 'criteria',
        criteria: ['coherence', { name: 'rain', evaluator: 'regex', evaluatorConfig: { pattern: 'rain' } }],
      },
    }),
    script: [
      written({ reply: 'snow' }),
      { match: 'Questions', reply: answers('no') },
      written({ reply: 'rain' }),
      { match: 'Questions', reply: answers('yes') },
    ],
  },
  {
    name: 'criterion-that-is-a-check',
    ends: 'quality_met',
    // The budget is spent before it is asked: it asks no model.
    spec: judged('criterion-that-is-a-check', {
      evaluator: {
        type: 'criteria',
        criteria: [{ name: 'rain', evaluator: 'regex', evaluatorConfig: { pattern: 'rain' } }],
      },
      budget: { modelCalls: 2 },
    }),
    script: [written({ reply: 'snow' }), written({ reply: 'rain' })],
  },
];
