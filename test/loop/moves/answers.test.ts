import { outcomeOfWorkflow } from '../../../src/loop/moves/called-workflow';
import { outcomeOfFunction } from '../../../src/loop/moves/functions';

// Runs that began before rules 3 go on as they began: a failure that they did not record would stop their replay.
test.each<[string, object]>([
  ['a number of calls', { output: 'x', calls: 3 }],
  ['calls of another form', { output: 'x', calls: ['find'] }],
  ['a conversation', { output: 'x', conversation: 'a'.repeat(200_000) }],
])(
  'before rules 3, %s beside the output was the output of a workflow, and said nothing in a function',
  (_what, answer) => {
    expect(outcomeOfWorkflow(answer, false)).toEqual({ output: answer, warnings: [] });
    expect(outcomeOfFunction(answer, false)).toEqual({ output: 'x', warnings: [] });
    expect(outcomeOfWorkflow({ output: 'x', warnings: ['w'] }, false)).toEqual({ output: 'x', warnings: ['w'] });
  },
);

test('since then, they are those of an agent', () => {
  expect(outcomeOfWorkflow({ output: 'x', calls: 3 })).toBe('must return `calls` that are a list');
  expect(outcomeOfWorkflow({ output: 'x', calls: [{ name: 'find' }] })).toMatchObject({
    output: 'x',
    reported: { calls: [{ name: 'find', source: 'reported' }] },
  });
});
