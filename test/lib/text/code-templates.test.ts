import type { Json } from '../../../src/lib/json/json';
import { templatesInCode } from '../../../src/lib/text/code-templates';

const paths = (value: Json): string[] => templatesInCode(value).map(({ path }) => path);

describe('templates in inline code', () => {
  test.each<[string, boolean]>([
    ['x = "{{ state.name }}"', true],
    ['x = "{{name}}"', true],
    ['x = """{{- state["a"].b | upper -}}"""', true],
    ['x = {"a": {"b": 1}}', false],
    ['x = f"{{{name}}}"', true],
    ['return {{1, 2}, {3, 4}}', false],
    ['const x = {a: {b}}; if (b) {{ run(); }}', false],
    ['x = "{% if a %}"', false],
  ])('%s: %s', (run, found) => {
    expect(paths({ run })).toEqual(found ? ['/run'] : []);
  });

  test('are found in every place of code, and in no data', () => {
    const run = '"{{ state.x }}"';
    const step = { run };
    expect(
      paths({
        generator: step,
        evaluator: [{ type: 'custom', run }],
        state: { run },
        nodes: [
          { run },
          { uses: 'reflection.loop', with: { corrector: step } },
          { action: 'my.own', with: { run } },
          { action: 'reflection.evaluate', with: { evaluator: { type: 'schema', schema: { run } }, data: { run } } },
        ],
      }),
    ).toEqual(['/generator/run', '/evaluator/0/run', '/nodes/0/run', '/nodes/1/with/corrector/run']);
  });

  test('a warning says what to read', () => {
    expect(templatesInCode({ run: 'x = "{{ state.name | upper }}"' })[0]!.message).toContain('read `state.name`');
  });
});
