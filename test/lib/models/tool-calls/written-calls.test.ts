import fc from 'fast-check';
import { writtenToolCalls } from '../../../../src/lib/models/tool-calls/written-calls';

const TOOLS = [{ name: 'orders_cancel', description: '', parameters: {} }];
const JSON_CALL = '{"name": "orders_cancel", "arguments": {"id": "1807"}}';
const FORMS = [
  `<tool_call>\n${JSON_CALL}\n</tool_call>`,
  '<function=orders_cancel>{"id": "1807"}</function>',
  `[TOOL_CALLS] [${JSON_CALL}]`,
  `<|python_tag|>${JSON_CALL}`,
];

describe('calls in a text', () => {
  test.each(FORMS)('a form that stands by itself is a call: %s', (form) => {
    const read = writtenToolCalls(`I cancel it.\n${form}`, TOOLS);
    expect(read?.text).toBe('I cancel it.');
    expect(read?.toolCalls.map(({ name, arguments: given }) => [name, JSON.parse(given as string)])).toEqual([
      ['orders_cancel', { id: '1807' }],
    ]);
  });

  test.each([...FORMS, JSON_CALL])('a whole reply that is one fence with a form is a call: %s', (form) => {
    expect(writtenToolCalls(`\`\`\`\n${form}\n\`\`\``, TOOLS)?.toolCalls).toHaveLength(1);
  });

  test('a form in any code of a text is text', () => {
    const code = fc.constantFrom(
      (form: string) => `\`\`\`xml\n${form}\n\`\`\``,
      (form: string) => `~~~~\n${form}\n~~~~`,
      (form: string) => `  \`\`\`\`\n\`\`\`\n${form}\n\`\`\`\n  \`\`\`\``,
      (form: string) => `\`\`\`\n${form}`,
      (form: string) => `The form \`${form.replaceAll('\n', ' ')}\` is old.`,
      (form: string) => form.replaceAll(/^/gm, '    '),
      (form: string) => form.replaceAll(/^/gm, '> '),
    );
    fc.assert(
      fc.property(
        code,
        fc.constantFrom(...FORMS, JSON_CALL),
        fc.constantFrom('\n', '\n\nDone.'),
        (into, form, after) => {
          expect(writtenToolCalls(`A client sends:\n\n${into(form)}${after}`, TOOLS)).toBeUndefined();
        },
      ),
    );
  });

  test('a call after a fence is a call, and the fence stays', () => {
    const fence = `\`\`\`xml\n${FORMS[0]}\n\`\`\``;
    expect(writtenToolCalls(`This form:\n${fence}\n${FORMS[0]}`, TOOLS)).toMatchObject({
      text: `This form:\n${fence}`,
      toolCalls: [{ name: 'orders_cancel' }],
    });
  });

  test('a form that names no offered tool is text', () => {
    expect(writtenToolCalls('<tool_call>{"name": "other", "arguments": {}}</tool_call>', TOOLS)).toBeUndefined();
  });

  test('a text of backticks with a form in it is read in time in proportion to its length', () => {
    const ticks = '`'.repeat(1_000_000);
    const runs = Array.from({ length: 1_400 }, (_, index) => '`'.repeat(index + 1)).join(' ');
    for (const hostile of [ticks, `\`${' ` '.repeat(300_000)}`, runs, '~~~\n'.repeat(200_000)])
      expect(() => writtenToolCalls(`${FORMS[1]}\n${hostile}`, TOOLS)).not.toThrow();
  });
});
