import type { Json } from '../../../src/lib/json/json';
import { renderTemplate, renderValue } from '../../../src/lib/templates/render';
import { TemplateFailed } from '../../../src/lib/templates/limits';
import { templateProblems } from '../../../src/lib/templates/parsing';
import { expectWithin } from '../../../testing/support/processor-time';

const state = {
  name: 'Ada Lovelace',
  n: 3,
  empty: [],
  nothing: null,
  tags: ['b', 'A', 'c', 'b'],
  nested: { z: 1, a: [1, { q: `it's <b> é` }] },
  users: [
    { name: 'x', age: 3, ok: true },
    { name: 'y', age: 1, ok: false },
  ],
  long: 'the quick brown fox jumps over the lazy dog',
  lines: 'one\ntwo\n\nfour',
};
const render = (text: string): string => renderTemplate(text, { state, task: 'Write' }).text;

describe('renderTemplate', () => {
  // What Jinja 3.1.6 prints for the same templates.
  test.each([
    ['{{ state.name }} / {{ state["n"] }} / {{ task }}', 'Ada Lovelace / 3 / Write'],
    [`{{ state.get('name') }} {{ state.get('zzz', 'other') }}`, 'Ada Lovelace other'],
    ['{{ state.missing|default("d") }}{{ state.empty|default("e", true)}}{{ ""|default("f", boolean=True) }}', 'def'],
    ['{{ state.tags|length }} {{ state.name|length }} {{ state.nested|length }}', '4 12 2'],
    [
      '{{ state.tags|join(", ") }} {{ state.tags|join }} {{ state.users|join("-", attribute="name") }}',
      'b, A, c, b bAcb x-y',
    ],
    [
      '{{ state.name|upper }} {{ state.name|lower }} {{ "  x "|trim }}{{ "xxaxx"|trim("x") }}',
      'ADA LOVELACE ada lovelace xa',
    ],
    ['{{ state.name|replace("a", "o") }} {{ state.name|replace("a", "o", 1) }}', 'Ado Loveloce Ado Lovelace'],
    ['{{ state.tags|first }}{{ state.tags|last }}', 'bb'],
    ['{{ "42"|int + 1 }} {{ "x"|int }} {{ "x"|int(9) }} {{ "42.7"|int }} {{ -1.5|int }}', '43 0 9 42 -1'],
    ['{{ "1.5"|float }} {{ "z"|float }} {{ 3|float }}', '1.5 0.0 3.0'],
    ['{{ 2.5|round }} {{ 3.5|round }} {{ 2.567|round(2) }} {{ 2.561|round(2, "ceil") }}', '2.0 4.0 2.57 2.57'],
    ['{{ state.tags|sort|join(",") }} {{ state.tags|sort(reverse=true)|join(",") }}', 'A,b,b,c c,b,b,A'],
    ['{{ state.users|sort(attribute="age")|map(attribute="name")|join(",") }}', 'y,x'],
    ['{{ state.tags|unique|join(",") }} {{ [1,2,3]|reverse|list|join }} {{ "abc"|list|join("-") }}', 'b,A,c 321 a-b-c'],
    ['{% for k, v in state.nested|items %}{{ k }}={{ v|tojson }};{% endfor %}', `z=1;a=[1, {"q": "it's <b> é"}];`],
    ['{% for k, v in state.nested|dictsort %}{{ k }}{% endfor %}', 'az'],
    [
      '{{ state.users|selectattr("ok")|map(attribute="name")|join }}{{ state.users|rejectattr("ok")|map(attribute="name")|join }}',
      'xy',
    ],
    ['{{ state.users|sum(attribute="age") }} {{ [3,1]|min }} {{ [3,1]|max }} {{ ["a"]|map("upper")|join }}', '4 1 3 A'],
    ['{{ [1,2,3,4]|select("odd")|join(",") }} {{ [1,2,3,4]|reject("odd")|join(",") }}', '1,3 2,4'],
    [
      '{{ state.lines|indent }}|{{ state.lines|indent(2, true, true) }}',
      'one\n    two\n\n    four|  one\n  two\n  \n  four',
    ],
    ['{{ state.long|truncate(20) }} {{ state.long|truncate(20, true) }}', 'the quick brown... the quick brown f...'],
    [
      '{{ "<a>"|e }} {{ state.long|title }} {{ "ABC dEF"|capitalize }} {{ state.long|wordcount }}',
      '&lt;a&gt; The Quick Brown Fox Jumps Over The Lazy Dog Abc def 9',
    ],
    [
      '{{ 7 // 2 }} {{ 7 / 2 }} {{ -7 // 2 }} {{ -7 % 3 }} {{ 2 ** 3 }} {{ "-" * 5 }} {{ "a" ~ 1 ~ "b" }}',
      '3 3.5 -4 2 8 ----- a1b',
    ],
    ['{{ "y" if 1 == "1" else "n" }}{{ "y" if [1] == [1] else "n" }}{{ "y" if "b" in state.tags else "n" }}', 'nyy'],
    [
      '{% for t in state.tags %}{{ loop.index }}:{{ t }}{% if not loop.last %}, {% endif %}{% endfor %}',
      '1:b, 2:A, 3:c, 4:b',
    ],
    ['{% for t in state.tags if t != "b" %}{{ t }}{% else %}none{% endfor %}', 'Ac'],
    ['{% set ns = namespace(t=0) %}{% for i in range(4) %}{% set ns.t = ns.t + i %}{% endfor %}{{ ns.t }}', '6'],
    ['{% macro m(a, b=2) %}{{ a }}-{{ b }}{% endmacro %}{{ m(1) }} {{ m(1, b=3) }}', '1-2 1-3'],
    [
      '{{ state.long[4:9] }} {{ state.tags[-1] }} {{ state.tags[::2]|join }} {{ state.nested.a[1].q }}',
      `quick b bc it's <b> é`,
    ],
    [
      '{{ state.long.split(" ")[1] }} {{ ", ".join(state.tags) }} {{ "a,b,c".split(",", 1)|join("|") }}',
      'quick b, A, c, b a|b,c',
    ],
    ['{% for i in range(2, 8, 3) %}{{ i }} {% endfor %}{% for i in range(3, 0, -1) %}{{ i }}{% endfor %}', '2 5 321'],
    ['{% filter upper %}abc {{ state.n }}{% endfilter %}', 'ABC 3'],
    ['{% raw %}{{ not }} {% rendered %} "q"\\{% endraw %}|', '{{ not }} {% rendered %} "q"\\|'],
    ['{% raw %}{% generation %}{% endraw %}|{{- "x" }}', '{% generation %}|x'],
    ['a\n  {% if true %}\n  b\n  {% endif %}\nc\n', 'a\n  b\nc'],
    ['{% for a, b in [(1, 2), (3, 4)] %}{{ a }}{{ b }} {% endfor %}', '12 34 '],
  ])('renders %s as Jinja does', (template, expected) => {
    expect(render(template)).toBe(expected);
  });

  test.each([
    ['{{ state.nested|tojson }}', `{"z": 1, "a": [1, {"q": "it's <b> é"}]}`],
    ['{{ [1, {"a": []}]|tojson(2) }}', '[\n  1,\n  {\n    "a": []\n  }\n]'],
    ['{{ {"b": 1.5, "a": none}|tojson(indent=1, sort_keys=true) }}', '{\n "a": null,\n "b": 1.5\n}'],
    ['{{ [1, {"a": []}]|json(2) }}', '[\n  1,\n  {\n    "a": []\n  }\n]'],
    ['{{ state.nowhere|json }} {{ state.nowhere|tojson }}', 'null null'],
    ['{{ "é"|tojson(ensure_ascii=true) }}', '"\\u00e9"'],
  ])('lays JSON out as json.dumps does: %s', (template, expected) => {
    expect(render(template)).toBe(expected);
  });

  test('a key of the state that no variable hides is a variable', () => {
    const given = { topic: 'owls', task: 'its own', true: 'no', loop: 'outside', nested: { topic: 'gulls' } };
    const shown = (template: string, task?: string): string => renderTemplate(template, { state: given, task }).text;
    expect(shown('{{ topic }} {{ nested.topic }} {{ missing }}{{ true }}')).toBe('owls gulls true');
    expect([shown('{{ task }}'), shown('{{ task }}', 'the spec’s')]).toEqual(['its own', 'the spec’s']);
    expect(shown('{{ loop }}{% for topic in [1] %} {{ topic }} {{ loop.index }}{% endfor %} {{ topic }}')).toBe(
      'outside 1 1 owls',
    );
    expect(renderValue('{{ nested }}', { state: given }).value).toEqual({ topic: 'gulls' });
  });

  test('prints undefined variables as nothing and names each of them once', () => {
    const text = '{{ state.missing }}|{{ state.a.b.c }}|{{ state.missing }}|{{ other|upper }}|{{ "x" ~ state["d e"] }}';
    const rendered = renderTemplate(text, { state });
    expect(rendered.text).toBe('||||x');
    expect(rendered.warnings.map((warning) => /"(.*)" is undefined/.exec(warning)?.[1])).toEqual([
      'state.missing',
      'state.a.b.c',
      'other',
      'state["d e"]',
    ]);
  });

  test('does not warn of an undefined variable that the template expects', () => {
    const text =
      '{% if state.missing %}y{% endif %}{{ state.missing|default("d") }}{{ "u" if state.missing is defined }}';
    expect(renderTemplate(text, { state })).toEqual({ text: 'd', warnings: [] });
  });

  test('loops zero times over an undefined list', () => {
    const rendered = renderTemplate('{% for error in state.reflection_errors %}- {{ error }}{% endfor %}.', { state });
    expect(rendered.text).toBe('.');
    expect(rendered.warnings[0]).toContain('state.reflection_errors');
  });

  test('leaves a text without tags exactly as it is', () => {
    expect(render('100% {a: 1}\n')).toBe('100% {a: 1}\n');
  });

  test('never renders a value again', () => {
    const values = { state: { x: '{{ state.secret }}', secret: 'S' } };
    expect(renderTemplate('{{ state.x }}', values).text).toBe('{{ state.secret }}');
    expect(renderValue({ a: '{{ state.x }}', b: 'see {{ state.x }}' }, values).value).toEqual({
      a: '{{ state.secret }}',
      b: 'see {{ state.secret }}',
    });
  });

  test.each([
    '{{ state.constructor }}',
    '{{ state["__proto__"] }}',
    '{{ state.name.constructor }}',
    '{{ [].constructor }}',
    '{{ range.constructor }}',
    '{{ namespace.prototype }}',
    '{{ state.toString }}',
    '{{ state.items }}',
    '{{ state.get.call }}',
    '{{ loop.constructor }}',
  ])('reaches nothing of JavaScript by %s', (template) => {
    expect(render(template)).toBe('');
  });

  test.each([
    ['{{ state.n.constructor.constructor("return process")() }}'],
    ['{{ state|attr("constructor") }}'],
    ['{{ "x"|constructor }}'],
    ['{{ state.n() }}'],
    ['{{ nobody() }}'],
    ['{{ 1 / 0 }}'],
    ['{{ state.n < state.missing }}'],
    ['{{ state.tags|sum }}'],
  ])('fails with a typed error: %s', (template) => {
    expect(() => render(template)).toThrow(TemplateFailed);
  });
});

describe('hostile templates', () => {
  const loop = (inner: string): string => `{% for a in range(100000) %}${inner}{% endfor %}`;
  test.each([
    ['nested loops', loop(loop(loop('x')))],
    ['nested loops that print nothing', loop(loop(''))],
    ['a huge range', '{{ range(10 ** 12) }}'],
    ['a doubled text', `{% set n = namespace(s="x") %}${loop('{% set n.s = n.s ~ n.s %}')}`],
    [
      'a list that holds itself',
      `{% set n = namespace(s=[1]) %}{% for a in range(60) %}{% set n.s = [n.s, n.s] %}{% endfor %}{{ n.s }}`,
    ],
    ['a macro that calls itself', '{% macro m() %}{{ m() }}{{ m() }}{% endmacro %}{{ m() }}'],
    ['a loop of large texts', loop('{% set x = state.big|upper|title %}')],
    ['a replacement that multiplies', '{{ state.big|replace("x", state.big) }}'],
    ['a repeated text', '{{ "ab" * 100000000 }}'],
    ['a wide indent', '{{ state.big|replace("x", "\n")|indent(900, true, true) }}'],
    ['a deep expression', `{{ ${'('.repeat(100_000)}1${')'.repeat(100_000)} }}`],
    ['a slow lexer', `${' '.repeat(500_000)}{{ x }}`],
    ['a loop without end in its data', loop('{% if state.big in state.big %}{% endif %}')],
  ])('stops %s', async (_case, template) => {
    await expectWithin(6_000, () => {
      expect(() => renderTemplate(template, { state: { big: 'x'.repeat(1_000_000) } })).toThrow(TemplateFailed);
    });
  });

  test('renders a thousand `continue`s, which leave a loop in the middle', () => {
    expect(render('{% for i in range(1500) %}{% if i < 1499 %}{% continue %}{% endif %}{{ i }}{% endfor %}')).toBe(
      '1499',
    );
  });
});

describe('renderValue', () => {
  const value = (entry: Json): Json => renderValue(entry, { state }).value;

  test.each<[string, Json]>([
    ['{{ state.nested }}', state.nested],
    ['{{ state.tags }}', state.tags],
    ['{{ state.n }}', 3],
    ['{{ 1.5 }}', 1.5],
    ['{{ state.n == 3 }}', true],
    ['{{ state.nothing }}', null],
    [' {{- state.n -}} \n', 3],
    ['{{ "}}" }}', '}}'],
    ['{{ state.users|map(attribute="name")|list }}', ['x', 'y']],
    ['{{ state.n }}{{ state.n }}', '33'],
    ['n is {{ state.n }}', 'n is 3'],
    ['{% if true %}{{ state.n }}{% endif %}', '3'],
    ['plain', 'plain'],
  ])('a parameter %j keeps its type', (text, expected) => {
    expect(value(text)).toEqual(expected);
  });

  test('renders inside objects and lists, and leaves keys and other values alone', () => {
    expect(value({ '{{ k }}': ['{{ state.n }}', 1, null, { x: 'a{{ state.n }}' }] })).toEqual({
      '{{ k }}': [3, 1, null, { x: 'a3' }],
    });
  });

  test('gives null and a warning for an undefined parameter', () => {
    expect(renderValue({ a: '{{ state.zzz }}' }, { state })).toEqual({
      value: { a: null },
      warnings: [expect.stringContaining('state.zzz')],
    });
  });

  test('keeps __proto__ an ordinary key', () => {
    const rendered = value(JSON.parse('{"__proto__": {"x": "{{ state.n }}"}}') as Json);
    expect(JSON.stringify(rendered)).toBe('{"__proto__":{"x":3}}');
  });

  test('does not write into what it renders', () => {
    const parameters = { a: ['{{ state.tags }}'] };
    const rendered = value(parameters) as { a: string[][] };
    rendered.a[0]!.push('more');
    expect(parameters).toEqual({ a: ['{{ state.tags }}'] });
    expect(state.tags).toHaveLength(4);
  });
});

describe('templateProblems', () => {
  test.each([
    ['{{ state.x }', 'does not parse'],
    ['{{ state.x', 'does not parse'],
    ['{% if x %}never closed', 'ends too early'],
    ['{% endfor %}', 'does not parse'],
    ['{% include "x" %}', 'Unknown statement type: include'],
    ['{{ x|nofilter }}', 'no filter "nofilter"'],
    ['{% if false %}{{ x|nofilter }}{% endif %}', 'no filter "nofilter"'],
    ['{% if x is strange %}{% endif %}', 'no test "strange"'],
  ])('%s', (template, message) => {
    expect(templateProblems(template)).toEqual([expect.stringContaining(message)]);
  });

  test('finds nothing wrong with good templates and plain text', () => {
    expect(templateProblems('{{ state.x|tojson(2) }}{% if a is not none %}{% endif %}')).toEqual([]);
    expect(templateProblems('no template { at all')).toEqual([]);
  });
});
