import { withoutThought } from '../../../../src/lib/models/habits/reply-content';
import { expectWithin } from '../../../../testing/support/processor-time';

const F = '```';
const said = 'Hello.\n\nAll is well.';

describe('a reply with tags of reasoning', () => {
  test.each<[string, string, RegExp | undefined]>([
    ['both tags', `<think>\nhm\n</think>\n${said}`, undefined],
    ['both tags in one line', `<think>hm</think>${said}`, undefined],
    ['both tags in capitals', `<THINK>hm</THINK>\n\n${said}`, undefined],
    ['nothing in it', `<think>\n\n</think>\n\n${said}`, undefined],
    ['another tag', `<reasoning>\nhm\n</reasoning>\n${said}`, /<reasoning>/],
    ['another tag that was perhaps asked for', `<thinking>\nhm\n</thinking>\n${said}`, /<thinking>/],
    ['one of thoughts', `<thought>hm</thought>\n${said}`, /<thought>/],
    ['a closing tag only', `hm, let me see\n</think>\n\n${said}`, /before <\/think>/],
    ['a closing tag only, without a blank line', `hm, let me see\n</think>\n${said}`, /before <\/think>/],
    ['a closing tag behind its line', `hm, let me see</think>\n\n${said}`, /before <\/think>/],
    [
      'a closing tag behind a fence in the thoughts',
      `${F}\nx = 1\n${F}\nfits\n</think>\n\n${said}`,
      /before <\/think>/,
    ],
    ['another closing tag', `hm\n</thinking>\n\n${said}`, /before <\/thinking>/],
  ])('loses it, told where it may have been meant: %s', (_name, reply, warning) => {
    const { text, thought, warning: told } = withoutThought(reply);
    expect(text).toBe(said);
    expect(thought).not.toContain('Hello');
    if (warning) expect(told).toMatch(warning);
    else expect(told).toBeUndefined();
  });

  test.each<[string, string]>([
    ['a guide with a fence', `# Format\n\n${F}\n<think>\nnotes\n</think>\n42\n${F}\n\nKeep both.`],
    ['a fence with the closing tag only', `# Format\n\n${F}\nnotes\n</think>\n42\n${F}\n\nKeep both.`],
    ['a fence of tildes', `# Format\n\n~~~\nnotes\n</think>\n\n42\n~~~`],
    ['XML', '<report>\n<reasoning>\nIt broke.\n</reasoning>\n<cause>worn seal</cause>\n</report>'],
    ['JSX', 'const b = () => (\n  <P>\n    <thinking>\n      one\n    </thinking>\n    <p>done</p>\n  </P>\n);'],
    ['a tag that opened in the text', 'First <think>\nnotes\n</think>\n\nThen the reply.'],
    ['prose', 'Close the block with a line that holds only\n</thought>\nand nothing else.'],
    ['prose with the usual tag', 'Close the block with\n</think>\nand nothing else.'],
    ['a tag in a line', 'Close it with `</think>` in the template.\nDone.'],
    ['a tag at the end of a line of code', 'Write `</think>`\nat the end.'],
    ['two closing tags', 'Step 1\n</think>\nStep 2\n</think>\nStep 3'],
    ['an edit', '<<<<<<< SEARCH\n</think>\nStep 2 on Monday\n=======\nStep 2 on Tuesday\n>>>>>>> REPLACE'],
    ['another tag', 'hm\n</analysis>\n\nHello.'],
    ['no tag', said],
  ])('keeps all of the text where it is its own: %s', (_name, reply) => {
    expect(withoutThought(reply)).toEqual({ text: reply, thought: '' });
  });

  test('is read in time that grows with it', async () => {
    await expectWithin(1_000, () => {
      for (const piece of ['</think>\n', '<think>', '```\n', 'a </think> b\n'])
        withoutThought(`x${piece.repeat(100_000)}`);
    });
  });
});
