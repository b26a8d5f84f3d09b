import { longIdProblems } from '../../../../src/kinds/plan/state/plan-order';

test("a task's loop whose run would have too long an id is told of, in bytes, and other tasks are not", () => {
  const loop = { loop: {} };
  const tasks = [
    { id: 'é'.repeat(450), step: loop },
    { id: 'é'.repeat(451), step: loop },
    { id: 'é'.repeat(451), step: { run: '1' } },
    'no task',
    { step: loop },
  ];
  const planId = 'p'.repeat(93);
  expect(longIdProblems({ tasks }, planId)).toEqual([
    { path: '/tasks/1/id', message: expect.stringMatching(/too long: 900 bytes fit after that of this plan/) },
  ]);
  expect(longIdProblems({ tasks: [{ id: 'a', step: loop }] }, 'p'.repeat(1_000))).toEqual([
    { path: '/tasks/0/id', message: expect.stringMatching(/start the plan with a shorter id/) },
  ]);
  expect(longIdProblems({ tasks: 'x' }, planId)).toEqual([]);
});
