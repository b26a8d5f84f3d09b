import { WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { typedError } from '../../src/calls/errors/typed-error';

const failed = (type: string, details?: unknown[]) =>
  typedError(
    new WorkflowFailedError(
      'Workflow execution failed',
      ApplicationFailure.create({ type, message: 'it failed', nonRetryable: true, ...(details ? { details } : {}) }),
      'NON_RETRYABLE_FAILURE',
    ),
    { method: 'result', kind: 'result', workflowId: 'a-run' },
  );

test('a failure of ours has its own error', () => {
  const problems = [{ path: '/generator', message: 'is required' }];
  expect(failed('InvalidSpec', [problems])).toMatchObject({ name: 'InvalidSpecError', problems });
  expect(failed('ReflectionFailedError', [{ history: [] }])).toMatchObject({
    name: 'ReflectionFailedError',
    history: [],
  });
});

test.each([
  ['InvalidSpec', undefined],
  ['InvalidSpec', [null]],
  ['ReflectionFailedError', undefined],
  ['ReflectionFailedError', [{ why: 'mine' }]],
])('a workflow of somebody’s own may fail as %s with the details %j', (type, details) => {
  expect(failed(type, details)).toMatchObject({ name: 'RunFailedError', type, message: 'it failed' });
});
