import type { Scenario } from '../scenario';
import { flat, judged, judgement, vivid, written } from './specs';

const generator = {
  action: 'llm.call',
  system: 'You write poems.',
  prompt: '{{ task }}',
  tools: ['counts', 'advises'],
} as const;
const calls = (...names: string[]) => written({ toolCalls: names.map((name) => ({ name, arguments: {} })) });

const looks = (...names: string[]) => judgement({ toolCalls: names.map((name) => ({ name, arguments: {} })) });
const evaluator = {
  type: 'llm' as const,
  prompt: 'You judge poems. Is this good?\n{{ state.reflection_output }}',
  tools: ['counts', 'advises'],
};

/** Generators and judges that call tools, and evaluations of work that is not done yet. */
export const tools: Scenario[] = [
  {
    name: 'tools',
    ends: 'quality_met',
    spec: judged('tools', { generator }),
    script: [
      calls('counts', 'advises'),
      calls('nobody'),
      written({ reply: 'poem' }),
      judgement({ reply: flat }),
      calls('advises'),
      written({ reply: 'another' }),
      judgement({ reply: vivid }),
    ],
  },
  {
    name: 'triggers',
    ends: 'quality_met',
    spec: judged('triggers', {
      generator,
      triggers: { reflectionInterval: 2, reflectOnError: true, reflectOnTools: ['advises'], qualityDropThreshold: 0.2 },
    }),
    script: [
      written({ refusal: 'no' }),
      calls('advises'),
      judgement({ reply: flat }),
      calls('counts'),
      judgement({ reply: vivid }),
      written({ reply: 'poem' }),
      judgement({ reply: flat }),
      written({ reply: 'another' }),
      judgement({ reply: { ...flat, score: 0.1 } }),
      judgement({ reply: vivid }),
    ],
  },
  {
    name: 'tools-budget',
    ends: 'call_budget',
    spec: judged('tools-budget', { generator, budget: { modelCalls: 2 } }),
    script: [calls('counts'), calls('counts')],
  },
  {
    name: 'judge-tools',
    ends: 'quality_met',
    spec: judged('judge-tools', { evaluator }),
    script: [
      written({ reply: 'poem' }),
      looks('counts', 'advises', 'repairs'),
      judgement({ reply: 'I counted, and I am not sure.' }),
      { reply: flat },
      written({ reply: 'another' }),
      looks('counts'),
      looks('advises'),
      judgement({ reply: vivid }),
    ],
  },
  {
    name: 'judge-tools-budget',
    ends: 'call_budget',
    spec: judged('judge-tools-budget', { evaluator, budget: { modelCalls: 2 } }),
    script: [written({ reply: 'poem' }), looks('counts')],
  },
];
