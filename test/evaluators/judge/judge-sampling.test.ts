import { chooseJudgeSampling } from '../../../src/evaluators/judge/judge-call';

test.each<[number | undefined, number | undefined, object]>([
  [undefined, undefined, { temperature: 0, suggested: ['temperature'] }],
  [undefined, 2, { temperature: 0.7, seed: 2, suggested: ['temperature', 'seed'] }],
  [1, undefined, { temperature: 1, suggested: [] }],
  [0, 3, { temperature: 0, seed: 3, suggested: ['seed'] }],
])('given the temperature %j and draw %j, a judge is asked with %j', (temperature, draw, sampling) => {
  expect(chooseJudgeSampling(temperature, draw)).toEqual(sampling);
});
