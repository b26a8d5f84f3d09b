import { parseSpec } from '../../../src/loop/parse/spec';

test('a field that a release took away is refused with what takes its place', () => {
  const spec = { task: 'Write.', evaluator: { type: 'llm' }, judge: { docket: true } };
  expect(parseSpec(spec)).toEqual({
    problems: [{ path: '/judge/docket', message: expect.stringMatching(/gone since 0\.3.*endsWith/) as string }],
  });
});
