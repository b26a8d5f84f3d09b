import * as fc from 'fast-check';
import { templateMentions, templateNeeds, templateReads, templateTags } from '../../../src/lib/text/template-reads';
import { renderTemplate } from '../../../src/lib/templates/render';
import { expectWithin } from '../../../testing/support/processor-time';

const keysOf = (...texts: string[]) => templateNeeds(texts).keys;

describe('templateNeeds', () => {
  test.each<[string, string[] | 'all']>([
    ['no template, though it says state.x', []],
    ['{{ state.x }} and {{ state . y }}', ['x', 'y']],
    [`{{ state['x'] }} {{ state["y z"] }}`, ['x', 'y z']],
    [`{{ state.get('x') }} {{ state.get("y", 'none') }}`, ['x', 'y']],
    ['{% if state.x %}{{ state.y|tojson }}{% endif %}', ['x', 'y']],
    // It may name too much.
    ['{% for item in state.items_ %}{{ item.state }}{% endfor %}', ['item', 'items_']],
    ['{{ x }} {{ y.z|join(w, sep=v) }}{% if u is defined %}{% endif %}', ['x', 'y', 'w', 'v', 'u', 'defined']],
    ['{{ true and range(2) and "text" and reflection_errors }}', []],
    ['{{ state.user.name }} {{ state.user.state }}', ['user']],
    ['{# {{ state.x }} #}{% raw %}{{ state.y }}{% endraw %}', []],
    ['{{ "the state of things" }}', []],
    ['prose about the state {{ state.x }} of things', ['x']],
    ['{{ state }}', 'all'],
    ['{{ state|tojson }}', 'all'],
    ['{{ state[key] }}', 'all'],
    [`{{ state['a' ~ 'b'] }}`, 'all'],
    [`{{ state['a' 'b'] }}`, 'all'],
    [`{{ state['a\\x62'] }}`, 'all'],
    [`{{ state.get(key) }}`, 'all'],
    [`{{ state.get('a' ~ key) }}`, 'all'],
    ['{% for key in state %}{% endfor %}', 'all'],
    ['{% for key, value in state.items() %}{% endfor %}', 'all'],
    ['{% set s = state %}{{ s.x }}', 'all'],
    ['{{ "}}" ~ state.x }}', ['x']],
    [`{{ {'a': {'b': 1}}|tojson ~ state.x }}`, ['x']],
    [`{% if "%}" == state.x %}{% endif %}`, ['x']],
    [`{% raw %}{{ " {% endraw %}{{ state.x }}`, ['x']],
    ['{{ state.x', ['x']],
  ])('%s', (text, expected) => {
    expect(keysOf(text)).toEqual(expected);
  });

  test('names the keys of all texts once', () => {
    expect(keysOf('{{ state.a }}', '{{ state.b }} {{ state.a }}')).toEqual(['a', 'b']);
  });

  test.each<[string, 'full' | 'digest']>([
    ['{{ state.reflection_history }}', 'full'],
    ['{{ state.reflection_best }}', 'full'],
    ['{{ state.reflection_best|tojson }} {{ state.reflection_best_score }}', 'full'],
    ['{{ state.reflection_best_score }}', 'digest'],
    ['{{ state.reflection_errors }}', 'digest'],
  ])('%s reads the history: %s', (text, history) => {
    expect(templateNeeds([text]).history).toBe(history);
  });

  test.each<[string, boolean]>([
    ['{{ output }}', true],
    ['{% if output.name %}{{ output.name }}{% endif %}', true],
    ['{% for line in output %}{{ line }}{% endfor %}', true],
    ['output {{ state.output }} {{ "output" }} {# {{ output }} #}', false],
    ['{% for output in state.list %}{{ output }}{% endfor %}', false],
    ['{% set output = 1 %}{{ output }}', false],
  ])('%s reads a variable: %s', (text, expected) => {
    expect(templateReads(text, 'output')).toBe(expected);
  });

  test('lists the variables of the loop that are named', () => {
    expect(templateNeeds(['{{ state.reflection_output }} {{ state["reflection_errors"] }}']).variables).toEqual([
      'reflection_output',
      'reflection_errors',
    ]);
  });

  test('never misses a key that rendering really uses', () => {
    const expression = fc.constantFrom(
      'state.a',
      'state["b"]',
      `state.get('c')`,
      '"}}" ~ state.a',
      '{"x": {"y": state.b}}|tojson',
      'state|tojson',
      'state.d.e',
      '"\\"" ~ state.c',
      'a',
      'd.e ~ b',
      'b|default(c)',
    );
    const text = fc.constantFrom('plain ', '{% raw %}{{ "{% endraw %}', "{# it's #}", "'", '"', '}} %} ');
    const part = fc.oneof(
      text,
      expression.map((each) => `{{ ${each} }}`),
      expression.map((each) => `{% if ${each} %}y{% endif %}`),
      expression.map((each) => `{% set f = ${each} %}{{ f }}`),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const template = parts.join('');
        const state: Record<string, string | { e: string }> = { a: 'A1', b: 'B2', c: 'C3', d: { e: 'E4' } };
        const { keys } = templateNeeds([template]);
        const sent = keys === 'all' ? state : Object.fromEntries(keys.map((key) => [key, state[key]!]));
        expect(renderTemplate(template, { state: sent }).text).toBe(renderTemplate(template, { state }).text);
      }),
    );
  });

  test.each([
    ['{{"'.repeat(300_000)],
    ['{% raw %}'.repeat(100_000)],
    [`${'{% raw %}'.repeat(100_000)}endraw`],
    [`{{ "${'\\'.repeat(1_000_000)}`],
    ['{'.repeat(1_000_000)],
  ])('reads a hostile text in linear time (%#)', async (text) => {
    await expectWithin(2_000, () => templateNeeds([text]));
  });
});

test('sees whether a template uses a variable, and not a word or an attribute of that name', () => {
  expect(templateMentions('Do this: {{ task }}', 'task')).toBe(true);
  expect(templateMentions('{% if task %}x{% endif %}', 'task')).toBe(true);
  expect(templateMentions('Your task: {{ state.task }} {{ "task" }} {# {{ task }} #}', 'task')).toBe(false);
});

test('finds the tags of a template with the borders of the lexer', () => {
  const text = 'a {{ "}}" }} b {% if x %}c{% endif %}{# {{ #}';
  expect(templateTags(text).map((tag) => text.slice(tag.from, tag.to))).toEqual([
    '{{ "}}" }}',
    '{% if x %}',
    '{% endif %}',
    '{# {{ #}',
  ]);
});
