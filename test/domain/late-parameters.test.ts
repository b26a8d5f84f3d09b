import type { JsonObject } from '../../src/domain/json';
import { awaits, lateParameters, withLate, withoutLate } from '../../src/domain/late-parameters';
import { renderTemplate } from '../../src/templates';

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

describe('T15 parameters that get their values when their node is reached', () => {
  test('are one expression each, and neither what is run nor what is rendered at its use', () => {
    expect(lateParameters('reflection.loop', loop)).toEqual([
      '/generator/temperature',
      '/generator/model',
      '/evaluator/0/schema/properties/kind/enum',
      '/evaluator/1/examples',
      '/evaluator/2/criteria/0',
      '/evaluator/2/criteria/1/threshold',
    ]);
    expect(lateParameters('llm.call', { prompt: 'x', temperature: 'about {{ state.heat }}' })).toEqual([]);
    expect(lateParameters('gives', { value: '{{ state.x }}' })).toEqual([]);
    expect(lateParameters('reflection.evaluate', { evaluator: '{{ state.e }}', data: '{{ state.x }}' })).toEqual([]);
  });

  test('are left out of what is checked before, with what cannot be said without them', () => {
    const late = lateParameters('reflection.loop', loop);
    const known = withoutLate('reflection.loop', loop, late);
    expect(known).toMatchObject({
      generator: { action: 'llm.call', prompt: '{{ state.said }}' },
      evaluator: [{ type: 'schema' }, { type: 'llm' }, { type: 'criteria' }, { type: 'custom' }, expect.anything()],
    });
    expect(JSON.stringify(known)).not.toMatch(/heat|kinds|shots|threshold/);
    const mayBeNone = awaits('reflection.loop', late);
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
    const given = withLate(
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
});
