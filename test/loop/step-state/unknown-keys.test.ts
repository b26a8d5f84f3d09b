import { unknownKeys } from '../../../src/loop/step-state/unknown-keys';

const told = (text: string, more: object = {}) =>
  unknownKeys({ task: text, ...more } as never, { name: 'Ada', items: [1], 'a b': 1 });

describe('keys that templates print and the state lacks', () => {
  test.each([
    ['{{ state.nmae }}', 'prints state.nmae, and the state has no key of that name (did you mean name?)'],
    ["{{ state['nmae'] | upper }}", 'prints state.nmae'],
    ['{{ state.get("other") }}', 'prints state.other'],
    ['{{ nmae }} and {{ name }}', 'prints state.nmae, and the state has no key of that name (did you mean name?)'],
    ['{{ nmae.first | upper }}', 'prints state.nmae'],
    ['{{ other.state.nmae }}', 'prints state.other'],
    ['{{ state[key] }} {{ state }}', 'prints state.key'],
    ['Dear {{ state.nmae.first }} and {{ state.name }}', 'prints state.nmae'],
  ])('%s', (text, message) => {
    expect(told(text)).toEqual([{ path: '/task', message: expect.stringContaining(message) }]);
  });

  test.each([
    '{{ state.name }} {{ state["a b"] }} {{ state.items[0] }}',
    '{{ state.reflection_output.title }}',
    '{{ state.nmae | default("nobody") }}',
    '{{ state.nmae or "nobody" }}',
    '{{ "x" if state.nmae is defined else "y" }}',
    '{% if state.nmae %}{{ state.nmae }}{% endif %}',
    '{% for each in state.list %}{{ each }}{% endfor %}',
    '{% raw %}{{ state.nmae }}{% endraw %}{# {{ state.nmae }} #}',
    'state.nmae',
    '{{ task }} {{ output }} {{ evidence }} {{ reflection_output }}',
    '{% set nmae = 1 %}{{ nmae }}{% for each in items %}{{ loop.index }}{{ each }}{% endfor %}',
    '{% macro greet(nmae, other) %}{{ nmae }}{{ other }}{% endmacro %}{{ greet("Ada") }}',
    '{{ nmae | default("nobody") }} {{ "x" if nmae is defined else "y" }}',
    '{{ name | replace("a", "b") | join(d=",") }}',
  ])('not in %s', (text) => {
    expect(told(text)).toEqual([]);
  });

  test('in each place where templates are rendered, and nowhere else', () => {
    const text = '{{ state.nmae }}';
    const spec = {
      task: text,
      generator: {
        action: 'llm.call',
        system: text,
        messages: [{ role: 'user', content: text }],
        reply: { const: text },
      },
      corrector: { action: 'x', with: { deep: [text] } },
      evaluator: [
        { type: 'llm', prompt: text },
        { type: 'custom', run: text },
        { type: 'schema', schema: { const: text } },
      ],
      state: { text },
    };
    expect(unknownKeys(spec as never, spec.state).map(({ path }) => path)).toEqual([
      '/task',
      '/generator/system',
      '/generator/messages/0/content',
      '/corrector/with/deep/0',
      '/evaluator/0/prompt',
    ]);
  });

  test('given a corrector that may add keys by a hint, none are reported', () => {
    expect(told('{{ state.nmae }}', { corrector: { action: 'llm.call', mode: 'hint' } })).toEqual([]);
  });
});
