import { outcomeOfWorkflow } from '../../../src/loop/moves/called-workflow';

test('calls and a conversation beside the output are those of an agent', () => {
  expect(outcomeOfWorkflow({ output: 'x', calls: 3 })).toBe('must return `calls` that are a list');
  expect(outcomeOfWorkflow({ output: 'x', calls: [{ name: 'find' }] })).toMatchObject({
    output: 'x',
    reported: { calls: [{ name: 'find', source: 'reported' }] },
  });
});
