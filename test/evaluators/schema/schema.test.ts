import type { Json, JsonObject } from '../../../src/lib/json/json';
import { readOutput } from '../../../src/loop/evaluation/output-reading';
import { byText, judge, told } from '../judge-by-schema';

const person: JsonObject = {
  type: 'object',
  required: ['name', 'age'],
  properties: {
    name: { type: 'string', minLength: 1 },
    age: { type: 'integer', minimum: 0, maximum: 150 },
    email: { type: 'string', format: 'email' },
    admin: { type: 'boolean' },
    role: { enum: ['reader', 'writer'] },
    tags: { type: 'array', items: { type: 'string' }, uniqueItems: true },
  },
  additionalProperties: false,
};

describe('a valid output', () => {
  test('scores 1 and passes every check', async () => {
    expect(await judge(person, { name: 'Ada', age: 36 })).toEqual({
      outcome: 'pass',
      score: 1,
      checksPassed: 1,
      confidence: 1,
      issues: [],
      suggestions: [],
    });
  });

  test('is taken as it is, not as the JSON inside of it', async () => {
    const judgement = await judge({ type: 'string' }, '{"a": 1}');
    expect([judgement.outcome, judgement.reading]).toEqual(['pass', undefined]);
  });
});

describe('an invalid output', () => {
  test('gets a path, a message and a suggestion for every mistake', async () => {
    const judgement = await judge(person, {
      name: '',
      age: 'forty',
      email: 'nope',
      role: 'x',
      tags: ['a', 'a'],
      extra: 1,
    });
    expect([judgement.outcome, judgement.score]).toEqual(['fail', 0]);
    expect(told(judgement.issues)).toEqual([
      '/age | age: must be integer, got "forty"',
      '/email | email: must be a valid email, got "nope"',
      '/extra | extra: is not allowed',
      '/name | name: must have at least 1 character, got 0',
      '/role | role: must be one of "reader", "writer", got "x"',
      '/tags | tags: must not repeat items, but number 1 and number 2 are the same',
    ]);
    expect(judgement.issues.map(({ suggestion }) => suggestion!).toSorted(byText)).toEqual([
      'Give it at least 1 character.',
      'Remove "extra"; allowed are "name", "age", "email", "admin", "role", "tags".',
      'Remove the repeated item.',
      'Replace it by an integer.',
      'Use one of "reader", "writer".',
      'Write it like name@example.com.',
    ]);
    expect(judgement.issues.every(({ evaluator, type }) => evaluator === 'schema' && type !== undefined)).toBe(true);
  });

  test('says what is missing and of what kind it is, also where it is nested', async () => {
    const schema = { type: 'object', properties: { people: { type: 'array', items: person } } };
    const { issues } = await judge(schema, { people: [{ name: 'Ada', age: 36 }, { name: 'Bob' }] });
    expect(told(issues)).toEqual(['/people/1/age | people[1].age: is missing']);
    expect(issues[0]!.suggestion).toBe('Add "age" (integer, at least 0, at most 150).');
  });

  test('names alternatives once', async () => {
    const { issues } = await judge({ anyOf: [{ type: 'integer' }, { type: 'null' }] }, { a: 1 });
    expect(told(issues)).toEqual([' | the output: must be integer or null, got {"a":1}']);
  });

  test('lists at most fifty mistakes, and says that there are more', async () => {
    const { issues } = await judge(
      { type: 'array', items: { type: 'integer' } },
      Array.from({ length: 80 }, () => 'x'),
    );
    expect(issues).toHaveLength(51);
    expect(issues.at(-1)!.message).toContain('30 more');
  });

  test('carries the name of its evaluator', async () => {
    const { issues } = await judge(false, 1, true, 'shape');
    expect(issues.map(({ evaluator }) => evaluator)).toEqual(['shape']);
  });
});

describe('JSON in text', () => {
  test.each([
    ['fenced', 'Of course!\n```json\n{"name": "Ada", "age": 36}\n```'],
    ['in prose', 'The person is {"name": "Ada", "age": 36}.'],
    ['the whole text', '{"name": "Ada", "age": 36}'],
    ['after JSON that does not fit', 'Not {"age": 1} but {"name": "Ada", "age": 36}'],
  ])('is read: %s', async (_case, output) => {
    const judgement = await judge(person, output);
    expect(judgement.outcome).toBe('pass');
    expect(readOutput(output, judgement.reading)).toEqual({ name: 'Ada', age: 36 });
  });

  test('is judged even when it is wrong, and the output stays unchanged', async () => {
    const judgement = await judge(person, 'See [1]: {"name": "Ada"}');
    expect(told(judgement.issues)).toEqual(['/age | age: is missing']);
    expect(judgement.reading).toBeUndefined();
  });

  test.each([
    ['I am sorry, see [1].', 'the text holds none'],
    ['{"name": "Ada", "age": 3', 'does not parse'],
    ['', 'the text holds none'],
  ])('is said to be missing in %j', async (output, message) => {
    const judgement = await judge(person, output);
    expect([judgement.outcome, judgement.checksPassed, judgement.issues.length]).toEqual(['fail', 0, 1]);
    expect(judgement.issues[0]).toMatchObject({
      path: '',
      type: 'json',
      message: expect.stringContaining(message) as string,
    });
  });

  test('given a schema that only describes properties, the JSON in the text is judged', async () => {
    const schema = { required: ['name'] };
    expect((await judge(schema, 'I cannot do that.')).outcome).toBe('fail');
    expect((await judge(schema, 'So: {"name": "Ada"}')).outcome).toBe('pass');
    expect((await judge(schema, 'So: {"age": 1}')).issues[0]!.message).toBe('name: is missing');
    expect((await judge(schema, '"quoted"')).outcome).toBe('fail');
  });

  test('given a schema of a text, the text itself is judged', async () => {
    const { issues } = await judge({ type: 'string', minLength: 100 }, 'short {"a": 1}');
    expect(told(issues)).toEqual([' | the output: must have at least 100 characters, got 14']);
  });
});

describe('what is no JSON, but means some', () => {
  test.each<[string, string]>([
    ['a trailing comma', '{"name": "Ada", "age": 36,}'],
    ['a trailing comma inside', '{"name": "Ada", "age": 36, "tags": ["a", "b",]}'],
    ['a comment', '{"name": "Ada", // the countess\n "age": 36}'],
    ['a comment in a block', '{"name": "Ada", /* the countess */ "age": 36}'],
    ['a comment of Python', '{"name": "Ada",  # the countess\n "age": 36}'],
    ['Python literals', "{'name': 'Ada', 'age': 36, 'admin': True}"],
    ['Python literals with an apostrophe', `{'name': "Ada", 'age': 36, 'tags': ["it's"]}`],
    ['keys without quotes', '{name: "Ada", age: 36}'],
    ['typographic quotes', '{“name”: “Ada”, “age”: 36}'],
    ['a semicolon behind it', '{"name": "Ada", "age": 36,};'],
    ['a fence', 'Here:\n```json\n{"name": "Ada", "age": 36,}\n```\nDone.'],
    ['a fence without a label', "```\n{'name': 'Ada', 'age': 36}\n```"],
    ['a string for a number', "{'name': 'Ada', 'age': '36'}"],
  ])('is read, and told in a warning: %s', async (_case, output) => {
    const judgement = await judge(person, output);
    expect(judgement).toMatchObject({
      outcome: 'pass',
      warnings: [expect.stringMatching(/no JSON, .* read as what it means/)],
    });
    expect(readOutput(output, judgement.reading)).toMatchObject({ name: 'Ada', age: 36 });
  });

  test.each<[string, string]>([
    ['a word without quotes', '{"name": Ada, "age": 36}'],
    ['a decimal comma', '{"name": "Ada", "age": 36,5}'],
    ['a key that stands twice', "{'name': 'Ada', 'age': 36, 'age': 37}"],
    ['an end that is missing', '{"name": "Ada", "age": 36'],
    ['dots in place of fields', '{"name": "Ada", ... "age": 36}'],
    ['prose behind it', '{"name": "Ada", "age": 36,} is what I found'],
    ['an integer that JavaScript cannot hold', '{"name": "Ada", "age": 9007199254740993,}'],
    ['prose', 'Ada is 36.'],
  ])('is not guessed at: %s', async (_case, output) => {
    const judgement = await judge(person, output);
    expect(judgement.outcome).toBe('fail');
  });

  test('that does not fit the schema is judged all the same', async () => {
    const { issues } = await judge(person, "{'name': 'Ada', 'age': 'old'}");
    expect(told(issues)).toEqual(['/age | age: must be integer, got "old"']);
  });
});

describe('several values in a text that fit', () => {
  const fence = (text: string): string => `\`\`\`json\n${text}\n\`\`\``;
  const [first, last] = ['{"name": "Ada", "age": 1}', '{"name": "Ada", "age": 36}'];
  const many = Array.from({ length: 30 }, (_, age) => `{"name": "Bob", "age": ${age}}`).join('\n');

  test.each<[string, string]>([
    ['an example, then the answer', `A record looks like ${first}. This one is:\n${last}`],
    ['two fences', `Example:\n${fence(first)}\nAnswer:\n${fence(last)}`],
    ['a first try', `${first}\n\nWait, she is older:\n${last}`],
    ['a fence, then the answer bare', `First thought:\n${fence(first)}\nBut rather ${last}`],
    ['the answer bare, then in a fence', `First thought: ${first}. Corrected:\n${fence(last)}`],
    ['the input, then the output', `You gave me ${first}; with the age corrected: ${last}`],
    ['an answer that needs coercion', `Like ${first}: {"name": "Ada", "age": "36"}`],
    ['more than are tried', `${many}\n${last}`],
  ])('the last one is the output, and a warning says so: %s', async (_case, output) => {
    const judgement = await judge(person, output);
    expect(judgement.warnings).toEqual([expect.stringMatching(/several values .* the last one is taken/)]);
    expect(readOutput(output, judgement.reading)).toEqual({ name: 'Ada', age: 36 });
  });

  test.each<[string, string]>([
    ['the same twice', `${fence(last)}\nThat is ${last}.`],
    ['the same in another order', `${last}\n{"age": 36, "name": "Ada"}`],
    ['another that does not fit', `{"age": 2}\n${last}\n{"name": ""}`],
    ['a number in brackets', `As [1] says: ${last} [2]`],
  ])('are no reason for a warning where there is one in truth: %s', async (_case, output) => {
    const judgement = await judge(person, output);
    expect(judgement).not.toHaveProperty('warnings');
    expect(readOutput(output, judgement.reading)).toEqual({ name: 'Ada', age: 36 });
  });
});

describe('coercion', () => {
  test.each<[Json, JsonObject, Json]>([
    ['42', { type: 'object', properties: { x: { type: 'integer' } } }, 42],
    [' -7 ', { type: 'object', properties: { x: { type: 'integer' } } }, -7],
    ['4.0', { type: 'object', properties: { x: { type: 'integer' } } }, 4],
    ['1.5', { type: 'object', properties: { x: { type: 'number' } } }, 1.5],
    ['1e3', { type: 'object', properties: { x: { type: 'number' } } }, 1000],
    ['true', { type: 'object', properties: { x: { type: 'boolean' } } }, true],
    ['False', { type: 'object', properties: { x: { type: 'boolean' } } }, false],
    ['5', { type: 'object', properties: { x: { type: ['integer', 'null'] } } }, 5],
    ['5', { type: 'object', properties: { x: { anyOf: [{ type: 'boolean' }, { type: 'integer' }] } } }, 5],
    ['5', { type: 'object', properties: { x: { $ref: '#/$defs/n' } }, $defs: { n: { type: 'integer' } } }, 5],
  ])('makes of %j what the schema asks for', async (text, schema, value) => {
    const output = { x: text };
    const judgement = await judge(schema, output);
    expect(judgement.outcome).toBe('pass');
    expect(judgement.reading).toEqual({ coerced: [{ path: '/x', value }] });
    expect(readOutput(output, judgement.reading)).toEqual({ x: value });
    expect(output).toEqual({ x: text });
  });

  test.each<[Json, JsonObject]>([
    ['forty', { type: 'integer' }],
    ['1.5', { type: 'integer' }],
    ['12345678901234567890', { type: 'integer' }],
    ['0x10', { type: 'integer' }],
    ['', { type: 'integer' }],
    ['yes', { type: 'boolean' }],
    ['1', { type: 'boolean' }],
    ['null', { type: 'null' }],
    [1, { type: 'string' }],
    [1, { type: 'boolean' }],
    ['a', { type: 'array' }],
    ['200', { type: 'integer', maximum: 150 }],
  ])('does not make %j into %j', async (value, schema) => {
    const judgement = await judge({ type: 'object', properties: { x: schema } }, { x: value });
    expect([judgement.outcome, judgement.reading]).toEqual(['fail', undefined]);
  });

  test('leaves strings alone that the schema takes as strings', async () => {
    const judgement = await judge(
      { type: 'object', properties: { zip: { type: 'string' }, n: { type: 'integer' } } },
      {
        zip: '01234',
        n: '5',
      },
    );
    expect(judgement.reading).toEqual({ coerced: [{ path: '/n', value: 5 }] });
  });

  test('also applies to JSON that was found in text', async () => {
    const output = 'Here: {"name": "Ada", "age": "36", "admin": "true"}';
    const judgement = await judge(person, output);
    expect(readOutput(output, judgement.reading)).toEqual({ name: 'Ada', age: 36, admin: true });
  });

  test('given several values, a coerced last one is the output, as if it had been valid', async () => {
    const schema = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };
    for (const output of ['{"n": "1"} or rather {"n": 2}', '{"n": 1} or rather {"n": "2"}']) {
      expect(readOutput(output, (await judge(schema, output)).reading)).toEqual({ n: 2 });
    }
  });

  test('given some values that cannot be coerced, only these are reported', async () => {
    const judgement = await judge(person, { age: '36' });
    expect(told(judgement.issues)).toEqual(['/name | name: is missing']);
    expect(judgement.reading).toBeUndefined();
  });

  test('can be switched off', async () => {
    const judgement = await judge(person, { name: 'Ada', age: '36' }, false);
    expect(told(judgement.issues)).toEqual(['/age | age: must be integer, got "36"']);
  });

  test('coerces an output as a whole, which needs no JSON', async () => {
    expect((await judge({ type: 'boolean' }, 'True')).reading).toEqual({ coerced: [{ path: '', value: true }] });
  });
});
