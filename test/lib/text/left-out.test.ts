import { leftOutLine } from '../../../src/lib/text/left-out';
import { expectWithin } from '../../../testing/support/processor-time';

const head = 'Minutes\n\nThe next meeting is on Monday.';
const rest = [
  'Decisions:',
  '1. The pump is replaced.',
  '2. The report goes to all.',
  '3. Kim asks for prices.',
  '',
  'Open points: none.',
];
const minutes = `${head}\n\n${rest.join('\n')}`;
const revised = head.replace('Monday', 'Tuesday');
const code = [
  'import os',
  '',
  'def read(path):',
  '    with open(path) as file:',
  '        return file.read()',
  '',
  'def write(path, text):',
  '    with open(path, "w") as file:',
  '        file.write(text)',
  '',
  'def size(path):',
  '    return os.stat(path).st_size',
].join('\n');

describe('a line in the place of what was left out', () => {
  test.each([
    '[rest unchanged]',
    '[... rest unchanged ...]',
    '(rest of the minutes stays the same)',
    '# ... unchanged ...',
    '...[truncated]',
    '<!-- remaining sections as before -->',
    '<!-- unchanged -->',
    '// ... existing code ...',
    '// rest of the code remains the same',
    '/* ... rest of the file ... */',
    '-- remaining text unchanged',
    '{/* ... existing content ... */}',
    '... (rest of the text as before)',
    '(… the rest is unchanged …)',
    '*[Remaining sections unchanged]*',
    '**[The rest of the document remains unchanged]**',
    '[Previous content omitted for brevity]',
    '[snip]',
    '> [... omitted ...]',
    'The rest stays the same.',
    'The rest of the minutes remains unchanged.',
    'Everything else is the same as before.',
    'Remaining sections unchanged',
    '"... rest unchanged"',
    '... (continues as before)',
    '# Rest of the code goes here',
    '[Rest bleibt unverändert]',
    '(Der Rest bleibt gleich)',
    'Der Rest bleibt unverändert.',
    '// ... restlicher Code wie zuvor ...',
    '[… übrige Abschnitte wie bisher …]',
    '[le reste est inchangé]',
    '(… suite inchangée …)',
    'Le reste est inchangé.',
    '[el resto sin cambios]',
    '(resto del texto igual)',
    '[resto inalterado]',
    '[il resto invariato]',
    '[rest ongewijzigd]',
    '[reszta bez zmian]',
    '（其余部分不变）',
    '[其余内容保持不变]',
    '// ... 其他代码不变 ...',
    '（残りは変更なし）',
    '... 以下省略 ...',
    '[остальное без изменений]',
    '(나머지는 그대로)',
    '...',
    '…',
    '[...]',
    '(…)',
    '// ...',
    '<!-- ... -->',
  ])('%s', (line) => {
    expect(leftOutLine(minutes, `${head}\n\n${line}`)).toBe(line);
    const isBare = /^\W*$/u.test(line);
    if (!isBare) expect(leftOutLine(minutes, `${revised}\n\n${line}`)).toBe(line);
    expect(leftOutLine(minutes, `${head}\n\nDecisions:\n${line}\n\nOpen points: none.`)).toBe(line);
  });

  test.each([
    '    # ... existing code ...',
    '# ... (rest of the functions unchanged)',
    '    ...',
    '# ...',
    '# remaining functions stay the same',
  ])('of code: %s', (line) => {
    const cut = code.replace('import os', 'import os, sys').split('\n').slice(0, 5).join('\n');
    expect(leftOutLine(code, `${cut}\n\n${line}`)).toBe(line.trim());
  });

  test.each([
    ['in brackets', `The next meeting is on Tuesday. [rest unchanged]`, '[rest unchanged]'],
    ['behind dots', `The next meeting is on Tuesday ... (remaining text unchanged)`, '... (remaining text unchanged)'],
  ])('at the end of a line that says more, %s', (_name, after, found) => {
    expect(leftOutLine(minutes.replaceAll('\n', ' '), after)).toBe(found);
  });

  test.each<[string, string, string]>([
    ['a line that was there before', `${minutes}\n[rest unchanged]`, `${revised}\n[rest unchanged]`],
    ['dots that were there before', `${head}\n...\n${rest.join('\n')}`, `${head}\n...\nOpen points: none.`],
    ['nothing is missing', minutes, `${minutes.replace('Monday', 'Tuesday')}\n(The rest of the agenda is unchanged.)`],
    ['a whole text', minutes, minutes.replace('Monday', 'Tuesday')],
    ['a short rewrite', minutes, 'The next meeting is on Tuesday. All else was settled.'],
    [
      'a sentence about what stays',
      minutes,
      'We meet on Tuesday, and the price of the other pumps remains the same as last year.',
    ],
    ['a sentence with dots', minutes, 'We meet on Tuesday... and Kim asks for prices.'],
    ['a quote with an omission', minutes, 'As Kim said, "the pump [...] is replaced" on Tuesday.'],
    ['a comment of code', code, code.replace('import os\n', 'import os\n# the same path as before\n')],
    [
      'a sentence with dots that speaks of what stays',
      minutes,
      'The pump ... costs the same as before, and we meet on Tuesday.',
    ],
    ['a stub of types', code, 'def read(path: str) -> str: ...\ndef write(path: str, text: str) -> None: ...'],
    [
      'a poem with a line of dots',
      'Roses are red,\nviolets are blue',
      'Roses are red\n...\nas the sky is wide and blue and so are you',
    ],
    ['a table with n/a', minutes, '| day | unchanged since |\n| Tuesday | May |'],
    ['a title', minutes, 'Existing content\n\nThe pump is replaced on Tuesday.'],
    ['a word', minutes, 'Tuesday (as before the holidays)'],
  ])('is none where there is %s', (_name, before, after) => {
    expect(leftOutLine(before, after)).toBeUndefined();
  });

  test('is found in time that grows with the text', async () => {
    const lines = Array.from({ length: 50_000 }, (_, index) => `line ${index}`);
    const after = `${lines.slice(0, 25_000).join('\n')}\n${'...\n'.repeat(10_000)}${'[rest '.repeat(20_000)}`;
    await expectWithin(2_000, () => {
      expect(leftOutLine(lines.join('\n'), after)).toBe('...');
    });
  });
});
