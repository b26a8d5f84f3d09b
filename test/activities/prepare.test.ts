import { ApplicationFailure } from '@temporalio/common';
import { createActionRegistry } from '../../src/actions/registry';
import { type PrepareDependencies, prepareSpec } from '../../src/activities/prepare';
import { createModels } from '../../src/models/index';

const spec = { generator: { action: 'llm.call', prompt: 'Write.' }, evaluator: { type: 'llm' } };

function dependencies(changes: Partial<PrepareDependencies> = {}): PrepareDependencies {
  return {
    models: createModels([], {}),
    actions: createActionRegistry([]),
    searchAttributes: () => Promise.resolve(true),
    ...changes,
  };
}

const failure = (value: unknown, changes?: Partial<PrepareDependencies>) =>
  prepareSpec(value, dependencies(changes)).then(
    () => Promise.reject(new Error('it was prepared')),
    (error: unknown) => error,
  );

describe('prepare', () => {
  test('a mistake of the spec stays one, and is not tried again', async () => {
    expect(await failure({ ...spec, generator: { action: 'nobody' } })).toMatchObject({
      type: 'UnknownAction',
      nonRetryable: true,
    });
  });

  test('D1 what is wrong inside of hooks and judges is told beside other mistakes of theirs', async () => {
    const judge = { votes: 99, second: { type: 'function', action: 'nobody' } };
    const hooks = { onGeneration: 'nobody', onSomething: 'x' };
    const found = (await failure({ ...spec, judge, hooks })) as ApplicationFailure;
    const [problems] = found.details as [{ path: string }[]];
    expect(problems.map(({ path }) => path).toSorted()).toEqual([
      '/hooks/onGeneration',
      '/hooks/onSomething',
      '/judge/second/action',
      '/judge/votes',
    ]);
  });

  test.each([
    ['an error', new RangeError('too deep for sk-abcdefgh123'), 'too deep for [redacted]'],
    ['anything else', 'a text', 'a text'],
  ])('%s in the check itself is StepFailed, and is not tried again', async (_name, thrown, said) => {
    const models = {
      ...createModels([], {}),
      problem: () => {
        throw thrown;
      },
    };
    const found = await failure({ ...spec, model: 'm' }, { models });
    expect(found).toMatchObject({
      type: 'StepFailed',
      nonRetryable: true,
      message: `The spec could not be checked: ${said}`,
      details: [{ step: 'prepare' }],
    });
    // Its cause would carry the whole message into the history.
    expect(found).toHaveProperty('cause', undefined);
  });

  test('an outage while asking for search attributes is tried again', async () => {
    const outage = new Error('14 UNAVAILABLE');
    const found = await failure(spec, { searchAttributes: () => Promise.reject(outage) });
    expect(found).toBe(outage);
    expect(found).not.toBeInstanceOf(ApplicationFailure);
  });
});
