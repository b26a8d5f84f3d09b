import type { Scenario } from '../scenario';
import { bad, flat, good, judged, judgement, modelled, PERSON, vivid, written } from './specs';

const nonsense = 'What a lovely day!';

/** What models make of a loop, as writers and as judges. */
export const models: Scenario[] = [
  {
    name: 'built-in-revision',
    ends: 'quality_met',
    spec: modelled('built-in-revision'),
    script: [{ reply: bad }, { reply: good }],
  },
  {
    name: 'judge-fails-then-passes',
    ends: 'quality_met',
    spec: judged('judge-fails-then-passes'),
    script: [
      written({ reply: 'first poem' }),
      judgement({ reply: flat }),
      written({ reply: 'second poem' }),
      judgement({ reply: vivid }),
    ],
  },
  {
    name: 'judge-repair',
    ends: 'quality_met',
    spec: judged('judge-repair'),
    script: [written({ reply: 'poem' }), judgement({ reply: nonsense }), { match: 'lovely day', reply: vivid }],
  },
  {
    name: 'judge-unreadable',
    ends: 'blocked',
    spec: judged('judge-unreadable'),
    script: [written({ reply: 'poem' }), { match: 'lovely|judge', reply: nonsense, times: 4 }],
  },
  {
    name: 'judge-refused',
    ends: 'blocked',
    spec: judged('judge-refused'),
    script: [written({ reply: 'poem' }), judgement({ status: 401, times: 2 })],
  },
  {
    name: 'judge-asked-again',
    ends: 'quality_met',
    spec: judged('judge-asked-again'),
    script: [written({ reply: 'poem' }), judgement({ status: 401 }), judgement({ reply: vivid })],
  },
  {
    name: 'retries',
    ends: 'quality_met',
    spec: judged('retries'),
    script: [
      written({ status: 500 }),
      written({ status: 429, headers: { 'retry-after': '1' } }),
      written({ reply: 'poem' }),
      judgement({ fault: 'reset' }),
      judgement({ reply: vivid }),
    ],
  },
  {
    name: 'draft-refused',
    ends: 'Model.Refused',
    spec: judged('draft-refused'),
    script: [written({ refusal: 'I would rather not.' })],
  },
  {
    name: 'gate-then-judges',
    ends: 'quality_met',
    spec: modelled('gate-then-judges', {
      evaluator: [
        { type: 'schema', name: 'shape', schema: PERSON, gate: true },
        { type: 'llm', name: 'strict', prompt: 'A strict judge: {{ state.reflection_output }}' },
        { type: 'llm', name: 'kind', prompt: 'A kind judge: {{ state.reflection_output }}' },
      ],
    }),
    script: [
      { match: 'A strict judge', reply: vivid },
      { match: 'A kind judge', reply: vivid, delayMs: 200 },
      { reply: bad },
      { reply: good },
    ],
  },
  {
    name: 'judge-as-gate',
    ends: 'quality_met',
    spec: modelled('judge-as-gate', {
      evaluator: [
        { type: 'llm', name: 'first', gate: true, prompt: 'The first judge: {{ state.reflection_output }}' },
        { type: 'llm', name: 'second', prompt: 'The second judge: {{ state.reflection_output }}' },
      ],
    }),
    script: [
      { match: 'The first judge', reply: flat },
      { match: 'The first judge', reply: vivid },
      { match: 'The second judge', reply: vivid },
      { reply: bad, times: 2 },
    ],
  },
  {
    name: 'history-in-the-prompt',
    ends: 'max_iterations',
    spec: modelled('history-in-the-prompt', {
      corrector: { action: 'llm.call', prompt: 'Not again: {{ state.reflection_history | tojson }}' },
      maxIterations: 3,
    }),
    script: [{ reply: bad, times: 3 }],
  },
  {
    name: 'worker-killed',
    ends: 'quality_met',
    spec: modelled('worker-killed'),
    script: [{ reply: bad }, { fault: 'hang' }, { reply: good }],
    world: 'killable',
    async meanwhile({ asked, replaceWorker }) {
      await asked(2);
      await replaceWorker();
    },
  },
];
