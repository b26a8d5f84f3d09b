import { planIn } from '../../../src/domain/plan/plan-material';

const tasks = [{ id: 'a', description: 'Do a', step: { action: 'does' } }];

describe('the plan in what a planner gave', () => {
  test.each([
    ['an object', { tasks }],
    ['a list', tasks],
    ['an object as text', JSON.stringify({ tasks })],
    ['a fence', `Here it is:\n\`\`\`json\n${JSON.stringify(tasks)}\n\`\`\`\nGood luck.`],
    [
      'prose that quotes what it goes by',
      `As [1] and {"goal": "g"} say, ["a"] is enough: ${JSON.stringify({ tasks })}`,
    ],
    ['prose that quotes an action', `{"action": "does"} suits.\n${JSON.stringify(tasks)}`],
  ])('is found in %s', (_where, output) => {
    expect(planIn(output, 'p')).toEqual({ id: 'p', tasks });
  });

  test.each([
    ['prose', 'I cannot plan that.', 'I cannot plan that.'],
    ['JSON that is no plan', 'So: {"steps": []}', { id: 'p', steps: [] }],
    ['a text that is a number', '7', 7],
    ['nothing', null, null],
    ['a plan without tasks, and its own id', '{"id": "own", "tasks": []}', { id: 'own', tasks: [] }],
  ])('what is none is told of as it is: %s', (_what, output, expected) => {
    expect(planIn(output, 'p')).toEqual(expected);
  });
});
