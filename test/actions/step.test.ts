import { z } from 'zod';
import { createActionRegistry } from '../../src/actions/registry';
import { defineAction } from '../../src/actions/define-action';
import { runStep, stepProblems } from '../../src/actions/step';
import type { Step } from '../../src/loop/contract/steps';
import { createModels } from '../../src/lib/models';

const known = defineAction({ name: 'known', description: '', input: z.json(), run: () => null });
const worker = { models: createModels([{ name: 'm', model: 'm-1' }], {}), actions: createActionRegistry([known]) };
const containing = (text: string): string => expect.stringContaining(text) as string;

describe('stepProblems', () => {
  test.each<[string, Step]>([
    [
      'a model call',
      {
        action: 'llm.call',
        model: 'm',
        system: 'x',
        prompt: '{{ task }}',
        messages: [{ role: 'user', content: '{{ state.x }}' }],
      },
    ],
    ['a model call without anything', { action: 'llm.call' }],
    ['an action', { action: 'known', with: { a: ['{{ state.x }}', 1] } }],
    ['an action without parameters', { action: 'known' }],
  ])('finds nothing wrong with %s', async (_case, step) => {
    expect(await stepProblems(step, worker)).toEqual([]);
  });

  test('finds every mistake of a model call, and where it is', async () => {
    const messages = [
      { role: 'user' as const, content: 'fine' },
      { role: 'user' as const, content: '{{ x' },
    ];
    const step: Step = {
      action: 'llm.call',
      model: 'other',
      system: '{% if %}',
      prompt: '{{ x|nobody }}',
      messages,
      tools: ['nobody'],
    };
    expect(await stepProblems(step, worker)).toEqual([
      { path: '/system', message: containing('does not parse') },
      { path: '/prompt', message: containing('no filter "nobody"') },
      { path: '/messages/1/content', message: containing('does not parse') },
      { path: '/model', message: containing('other'), type: 'UnknownModel' },
      { path: '/tools/0', message: containing('"known"'), type: 'UnknownAction' },
    ]);
  });

  test('finds every mistake of an action', async () => {
    expect(await stepProblems({ action: 'nobody', with: { 'a/b': ['{{ x'] } }, worker)).toEqual([
      { path: '/action', message: containing('"known"'), type: 'UnknownAction' },
      { path: '/with/a~1b/0', message: containing('does not parse') },
    ]);
  });

  test('inline code runs in a sandbox or not at all', async () => {
    const step: Step = { run: 'return 1' };
    expect(await stepProblems(step, worker)).toEqual([{ path: '/run', message: containing('runs no inline code') }]);
    const input = { state: {}, iteration: 1, workflowId: 'w', timeoutMs: 1 };
    const context = { ...worker, signal: new AbortController().signal };
    await expect(runStep(step, input, context)).rejects.toThrow(/runs no inline code/);
  });
});
