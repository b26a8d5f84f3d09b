import { readQuestion } from '../../../src/loop/step-state/ask-person';

const read = (given: unknown) => readQuestion(typeof given === 'string' ? given : JSON.stringify(given));
const NO_QUESTION = 'The arguments have no question: call the tool with {"question": "…"}.';

// Models ask in the forms of the tools that they were trained with.
describe('arguments of a question', () => {
  test.each<[string, unknown, string[] | undefined]>([
    ['texts', ['Kiel', 'Ulm'], ['Kiel', 'Ulm']],
    [
      'objects with labels',
      [{ label: 'Kiel', description: 'in the north' }, { label: 'Ulm' }],
      ['Kiel (in the north)', 'Ulm'],
    ],
    ['objects with values', [{ value: 1 }, { value: 'two' }], ['1', 'two']],
    ['numbers', [1, 2.5], ['1', '2.5']],
    ['JSON in a text', '["Kiel","Ulm"]', ['Kiel', 'Ulm']],
    ['a text that is no JSON', 'Kiel or Ulm', undefined],
    ['other values', [null, true, {}, [], ' ', 'Kiel'], ['Kiel']],
    [
      'more than 20',
      Array.from({ length: 30 }, (_, index) => index),
      Array.from({ length: 20 }, (_, index) => `${index}`),
    ],
    ['a long one', [{ label: 'x'.repeat(2_000) }], [`${'x'.repeat(499)}…`]],
  ])('have options that are %s', (_name, options, shown) => {
    const asked = { question: 'Which?', ...(shown && { options: shown }) };
    expect(read({ question: 'Which?', options })).toEqual(asked);
    expect(read({ questions: [{ question: 'Which?', header: 'City', options }] })).toEqual(asked);
    expect(read([{ question: 'Which?', options }])).toEqual(asked);
    expect(read({ questions: JSON.stringify([{ question: 'Which?', options }]) })).toEqual(asked);
  });

  test.each([
    null,
    3,
    '',
    'Which?',
    [],
    {},
    { question: 3 },
    { questions: [] },
    { questions: [{ question: 'a' }, { question: 'b' }] },
  ])('without one question are answered by how to ask: %j', (given) => {
    expect(read(JSON.stringify(given))).toBe(NO_QUESTION);
  });
});
