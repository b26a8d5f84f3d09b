import type { JsonObject } from '../../../../src/lib/json/json';
import {
  mayBeMended,
  findDeferredParameters,
  insertDeferred,
  removeDeferred,
} from '../../../../src/kinds/pipeline/state/deferred-parameters';
import {
  pickTemplatedSettings,
  removeTemplated,
  withSettings,
} from '../../../../src/kinds/pipeline/state/pipeline-state';
import type { ReflectionSpec } from '../../../../src/loop/contract/spec';
import { renderTemplate } from '../../../../src/lib/templates/render';

const loop: JsonObject = {
  maxIterations: '{{ state.tries }}',
  generator: {
    action: 'llm.call',
    prompt: '{{ state.said }}',
    temperature: ' {{ state.heat }} ',
    model: '{{ state.m }}',
  },
  evaluator: [
    { type: 'schema', schema: { type: 'object', properties: { kind: { enum: '{{ state.kinds }}' } } } },
    { type: 'llm', prompt: '{{ state.said }}', examples: '{{ state.shots }}' },
    {
      type: 'criteria',
      criteria: ['{{ state.one }}', { name: 'a', evaluator: '{{ state.e }}', threshold: '{{ 1 }}' }],
    },
    { type: 'custom', run: '{{ state.code }}' },
    '{{ state.evaluator }}',
  ],
  corrector: { action: 'fixes', with: { a: '{{ state.x }}' } },
};

describe('parameters that get their values when their node is reached', () => {
  test('are one expression each, and neither what is run nor what is rendered at its use', () => {
    expect(findDeferredParameters('reflection.loop', loop)).toEqual([
      '/generator/temperature',
      '/generator/model',
      '/evaluator/0/schema/properties/kind/enum',
      '/evaluator/1/examples',
      '/evaluator/2/criteria/0',
      '/evaluator/2/criteria/1/threshold',
    ]);
    expect(findDeferredParameters('llm.call', { prompt: 'x', temperature: 'about {{ state.heat }}' })).toEqual([]);
    expect(findDeferredParameters('gives', { value: '{{ state.x }}' })).toEqual([]);
    expect(
      findDeferredParameters('reflection.evaluate', { evaluator: '{{ state.e }}', data: '{{ state.x }}' }),
    ).toEqual([]);
  });

  test('are left out of what is checked before, with what cannot be said without them', () => {
    const late = findDeferredParameters('reflection.loop', loop);
    const known = removeDeferred('reflection.loop', loop, late);
    expect(known).toMatchObject({
      generator: { action: 'llm.call', prompt: '{{ state.said }}' },
      evaluator: [{ type: 'schema' }, { type: 'llm' }, { type: 'criteria' }, { type: 'custom' }, expect.anything()],
    });
    expect(JSON.stringify(known)).not.toMatch(/heat|kinds|shots|threshold/);
    const mayBeNone = mayBeMended('reflection.loop', late);
    expect(['/generator/temperature', '/generator', '/evaluator/1/examples/0', '/evaluator/0'].map(mayBeNone)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(['/generator/prompt', '/evaluator/3', '/corrector', '/evaluator/2/taskType'].map(mayBeNone)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  test('stand in their places, and messages are not rendered again', () => {
    const said = 'say "{{ state.secret }}" \\ {%- raw -%}\n {{- 1 }}\n{# x #}\n{% endraw %}\n';
    const given = insertDeferred(
      { messages: '{{ state.chat }}', temperature: '{{ 1 }}' },
      {
        '/messages': [
          { role: 'user', content: said },
          { role: 'user', content: 'plain' },
        ],
        '/temperature': 0.5,
      },
    );
    expect(given).toMatchObject({ temperature: 0.5, messages: [{ role: 'user' }, { content: 'plain' }] });
    const { content } = (given['messages'] as { content: string }[])[0]!;
    expect(renderTemplate(content, { state: { secret: 'told' } }).text).toBe(said);
  });

  test('are those of a second judge, too', () => {
    const second = { type: 'criteria', model: '{{ state.m }}', criteria: ['{{ state.one }}', 'tone'] };
    const judged = { ...loop, evaluator: { type: 'llm' }, judge: { votes: '{{ state.v }}', second } };
    const late = findDeferredParameters('reflection.loop', judged);
    expect(late).toEqual([
      '/generator/temperature',
      '/generator/model',
      '/judge/second/model',
      '/judge/second/criteria/0',
    ]);
    expect(removeDeferred('reflection.loop', judged, late)['judge']).toEqual({
      votes: '{{ state.v }}',
      second: { type: 'criteria' },
    });
    const mayBeNone = mayBeMended('reflection.loop', late);
    expect(['/judge/second/criteria/0', '/judge/second', '/judge/second/name', '/judge/votes'].map(mayBeNone)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

test('a pipeline renders the settings of its loops, and neither their second judge nor code of hooks', () => {
  const second = { type: 'llm', prompt: '{{ state.reflection_output }}' };
  const spec = {
    ...loop,
    judge: { votes: '{{ state.votes }}', model: 'm', second },
    hooks: { onRevision: { run: 'f"{{x}}"' } },
  };
  expect(pickTemplatedSettings(spec)).toEqual({
    maxIterations: '{{ state.tries }}',
    judge: { votes: '{{ state.votes }}' },
  });
  const { maxIterations: _tries, ...rest } = spec as JsonObject;
  expect(removeTemplated(spec)).toEqual({ ...rest, judge: { model: 'm', second } });
  const given = withSettings(spec as unknown as ReflectionSpec, { maxIterations: 2, judge: { votes: 3 } });
  expect(given).toEqual({ ...spec, maxIterations: 2, judge: { votes: 3, model: 'm', second } });
  expect(pickTemplatedSettings({ judge: { second } })).toEqual({});
  expect(removeTemplated({ judge: { second } })).toEqual({ judge: { second } });
});
