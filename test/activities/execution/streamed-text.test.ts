import { LiveText, SHOWN_CHARACTERS } from '../../../src/activities/execution/streamed-text';

function live(attempt = 1) {
  const beats: { take: string; from: number; text: string }[] = [];
  const text: LiveText = new LiveText({ role: 'draft', iteration: 1 }, attempt, () => {
    const { take, from, text: shown } = text.details().stream;
    beats.push({ take, from, text: shown });
  });
  return { text, beats };
}

test('the first words are sent soon, later ones once a second, however many pieces there are', () => {
  jest.useFakeTimers();
  try {
    const { text, beats } = live(3);
    for (let passed = 0; passed < 1_600; passed += 20) {
      text.add('word ');
      jest.advanceTimersByTime(20);
    }
    text.close();
    expect(beats).toHaveLength(2);
    expect(beats.every(({ take }) => take === '3.0')).toBe(true);
    expect(beats[1]!.text.startsWith(beats[0]!.text)).toBe(true);
    jest.advanceTimersByTime(1_100);
    expect(beats).toHaveLength(2);
  } finally {
    jest.useRealTimers();
  }
});

test('reasoning is not shown; where only its end can be told, the text begins again there', () => {
  const shown = (pieces: string[]) => {
    const { text } = live();
    return pieces.map((piece) => {
      text.add(piece);
      const { take, text: now } = text.details().stream;
      text.close();
      return `${take} ${now}`;
    });
  };
  expect(shown(['<th', 'ink>secret', ' thought</think>', '\n\nAn answer'])).toEqual([
    '1.0 ',
    '1.0 ',
    '1.0 ',
    '1.0 An answer',
  ]);
  expect(shown(['<ul>', '<li>one'])).toEqual(['1.0 <ul>', '1.0 <ul><li>one']);
  expect(shown(['Let me see', '\n</think>\nThree.'])).toEqual(['1.0 Let me see', '1.1 Three.']);
});

test('a long text is sent by its end, and no character is cut in two', () => {
  const { text } = live();
  text.add(`🌊${'🌊'.repeat(SHOWN_CHARACTERS)}\ud83c`);
  text.close();
  const { from, text: shown } = text.details().stream;
  expect(Buffer.from(shown).toString()).toBe(shown);
  expect(shown.length).toBeLessThan(SHOWN_CHARACTERS);
  expect(from + shown.length).toBe(2 * SHOWN_CHARACTERS + 2);
  expect(Buffer.byteLength(JSON.stringify({ text: '\u0001'.repeat(SHOWN_CHARACTERS) }))).toBeLessThan(64 * 1_024);
});
