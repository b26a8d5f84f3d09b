import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { convert } from '../../../../src/apps/cli/commands/convert';
import { reflect } from '../reflect-command';

const AGENT = `nodes:
  - name: draft # the only one
    uses: llm.call
    with: { prompt: Write. }
    output: text
`;
const CONVERTED = AGENT.replace('uses:', 'action:');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'reflect-convert-'));
  writeFileSync(at('agent.yaml'), AGENT);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string) => path.join(folder, name);

describe('reflect convert', () => {
  test('prints the file, reads standard input, and ends with 1 for a file with mistakes', async () => {
    const printed = await reflect(['convert', '-'], { input: AGENT });
    expect(printed).toEqual({ code: 0, stdout: CONVERTED, stderr: '' });
    const wrong = await reflect(['convert', '-'], { input: AGENT.replace('uses', 'goto') });
    expect(wrong).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('(stdin):3:5') as string });
  });

  test('writes it where --output says, and replaces a file only with --force', async () => {
    const said = jest.spyOn(console, 'log').mockReturnValue(undefined);
    try {
      expect(await convert(at('agent.yaml'), { output: at('new.yaml') })).toBe(0);
      expect(readFileSync(at('new.yaml'), 'utf8')).toBe(CONVERTED);
      writeFileSync(at('new.yaml'), 'mine');
      const again = { output: at('new.yaml') };
      await expect(convert(at('agent.yaml'), again)).rejects.toMatchObject({ type: 'FileExists' });
      expect(readFileSync(at('new.yaml'), 'utf8')).toBe('mine');
      expect(await convert(at('agent.yaml'), { ...again, force: true })).toBe(0);
      expect(readFileSync(at('new.yaml'), 'utf8')).toBe(CONVERTED);
      const nowhere = { output: at('none/new.yaml') };
      await expect(convert(at('agent.yaml'), nowhere)).rejects.toMatchObject({ type: 'NotWritten' });
      await expect(convert(at('none.yaml'), { output: at('other.yaml') })).rejects.toThrow(/no such file/);
      expect(existsSync(at('other.yaml'))).toBe(false);
      said.mockClear();
      await convert(at('agent.yaml'), { json: true });
      expect(JSON.parse(String(said.mock.calls[0]![0]))).toEqual({ yaml: CONVERTED });
    } finally {
      said.mockRestore();
    }
  });
});
