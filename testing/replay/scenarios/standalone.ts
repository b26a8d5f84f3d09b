import type { Scenario } from '../scenario';
import { bad, flat, good, PERSON, vivid } from './specs';

const schema = { type: 'schema', schema: PERSON };
const judge = (model: string) => ({ type: 'llm', model, prompt: 'You judge this: {{ state.reflection_output }}' });
const errors = ['age is missing'];

const evaluated = { type: 'reflectionEvaluate' } as const;
const corrected = { type: 'reflectionCorrect' } as const;

/** One evaluation or correction, without a loop. */
export const standalone: Scenario[] = [
  { ...evaluated, name: 'evaluate-schema', ends: 'pass', spec: { evaluator: schema, data: good } },
  { ...evaluated, name: 'evaluate-invalid', ends: 'InvalidSpec', spec: { evaluator: { type: 'magic' }, data: good } },
  {
    ...evaluated,
    name: 'evaluate-judge',
    ends: 'fail',
    spec: { evaluator: [judge('evaluate-judge'), { ...schema, gate: true }], data: good },
    script: [{ reply: 'What a lovely day!' }, { match: 'lovely day', reply: flat }],
  },
  {
    ...evaluated,
    name: 'evaluate-asked-again',
    ends: 'pass',
    spec: { evaluator: judge('evaluate-asked-again'), data: 'poem' },
    script: [{ status: 401 }, { reply: vivid }],
  },
  {
    ...corrected,
    name: 'correct-built-in',
    ends: 'completed',
    spec: { corrector: { action: 'llm.call', model: 'correct-built-in' }, data: bad, errors },
    script: [{ reply: good }],
  },
  {
    ...corrected,
    name: 'correct-nothing',
    ends: 'completed',
    spec: { corrector: { action: 'llm.call' }, data: good, errors: [] },
  },
  {
    ...corrected,
    name: 'correct-action',
    ends: 'completed',
    spec: { corrector: { action: 'repairs' }, data: bad, errors },
  },
  {
    ...corrected,
    name: 'correct-fails',
    ends: 'StepFailed',
    spec: { corrector: { action: 'answers', with: { list: [], failAt: 1 } }, data: bad, errors },
  },
  {
    ...corrected,
    name: 'correct-unknown',
    ends: 'UnknownAction',
    spec: { corrector: { action: 'nobody' }, data: 1, errors },
  },
];
