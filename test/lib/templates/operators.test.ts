import { renderTemplate } from '../../../src/lib/templates/render';

const state = {
  list: [1, 2],
  same: [1, 2],
  more: [1, 2, 3],
  map: { a: 1 },
  twin: { a: 1 },
  other: { b: 1 },
  none: null,
};
const render = (expression: string): string => renderTemplate(`{{ ${expression} }}`, { state }).text;

describe('operators mean what they mean in Jinja, not in JavaScript', () => {
  test.each([
    ['1 == "1"', 'false'],
    ['1 == 1.0', 'true'],
    ['true == 1', 'true'],
    ['"a" != "b"', 'true'],
    ['state.list == state.same', 'true'],
    ['state.list == state.more', 'false'],
    ['state.map == state.twin', 'true'],
    ['state.map == state.other', 'false'],
    ['state.map == state.list', 'false'],
    ['state.none == state.none', 'true'],
    ['2 in state.list', 'true'],
    ['"2" in state.list', 'false'],
    ['"a" in state.map', 'true'],
    ['1 in state.map', 'false'],
    ['"b" in "abc"', 'true'],
    ['1 in "1"', 'false'],
    ['1 in 1', 'false'],
    ['3 not in state.list', 'true'],
    ['1 ~ 2', '12'],
    ['"a" + 1', 'a1'],
    ['1 + 2', '3'],
    ['"ab" * 2', 'abab'],
    ['2 * "ab"', 'abab'],
    ['"ab" * -1', ''],
    ['3 * 2', '6'],
    ['-7 % 3', '2'],
    ['7 % -3', '-2'],
    ['7 // 2', '3'],
  ])('%s is %s', (expression, expected) => {
    expect(render(expression).toLowerCase()).toBe(expected);
  });

  test.each(['1 / 0', '1 % 0', '1 // 0'])('%s is an error that says so', (expression) => {
    expect(() => render(expression)).toThrow('template failed: it divides by zero');
  });

  test.each([
    ['[2, 1] | sort', '[1, 2]'],
    ['["b", "A", "c"] | sort | join', 'Abc'],
    ['["b", "A"] | sort(case_sensitive=true) | join', 'Ab'],
    ['[true, 0] | sort | first', '0'],
  ])('%s puts things in order', (expression, expected) => {
    expect(render(expression)).toBe(expected);
  });

  test.each([
    ['["a", 1] | sort', /compare (text with a number|a number with text)/],
    ['[[1], 1] | sort', /a list/],
    ['[state.map, "a"] | sort', /an object/],
    ['[none, 1] | sort', /null/],
    ['[true, "a"] | sort', /true or false/],
  ])('%s is told in words of people', (expression, message) => {
    expect(() => render(expression)).toThrow(message);
  });
});
