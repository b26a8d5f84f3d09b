import { orderProblems } from '../../../../src/kinds/plan/state/plan-order';

const told = (tasks: Record<string, string[]>) =>
  orderProblems(Object.entries(tasks).map(([id, dependsOn]) => ({ id, dependsOn })));
const circle = (index: number, ids: string) => [
  { path: `/${index}/dependsOn`, message: `waits for itself: ${ids} depend on each other` },
];

describe('the order of tasks', () => {
  test('of a circle those are told of who are in it, not who waits for it or whom it waits for', () => {
    expect(told({ after: ['a'], a: ['b', 'before'], b: ['a'], before: [], last: ['after'] })).toEqual(
      circle(1, 'a, b'),
    );
    expect(told({ first: [], own: ['own', 'first'], next: ['own'] })).toEqual(circle(1, 'own'));
    expect(told({ a: ['b'], b: ['c'], c: [] })).toEqual([]);
  });
});
