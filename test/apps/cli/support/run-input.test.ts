import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readRunFile, readState, tellWarnings } from '../../../../src/apps/cli/support/run-input';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reflect-input-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('state from the command line: JSON where it is JSON, else text; single keys win over files', async () => {
  const file = join(folder, 'state.yaml');
  await writeFile(file, 'some_key: { inner_key: 1 }\nname: file\n');
  expect(
    await readState([file], ['name=shell', 'count=3', 'list=[1,"a"]', 'text=a=b', 'empty=', 'quoted="3"']),
  ).toEqual({
    some_key: { inner_key: 1 },
    name: 'shell',
    count: 3,
    list: [1, 'a'],
    text: 'a=b',
    empty: '',
    quoted: '3',
  });
});

test('mistakes of the command line are typed and say what to do', async () => {
  await expect(readState([], ['novalue'])).rejects.toMatchObject({
    type: 'InvalidState',
    advice: expect.stringContaining('name=value'),
  });
  await expect(readState([], ['order=2512292042121000001'])).rejects.toThrow(/--state order .*would lose digits/);
  await expect(readState([], ['=x'])).rejects.toMatchObject({ type: 'InvalidState' });
  const list = join(folder, 'list.json');
  await writeFile(list, '[1]');
  await expect(readState([list], [])).rejects.toMatchObject({ type: 'InvalidState' });
  await expect(readRunFile(join(folder, 'none.yaml'))).rejects.toMatchObject({ type: 'FileUnreadable' });
  await expect(readRunFile(folder)).rejects.toMatchObject({
    type: 'FileUnreadable',
    message: expect.stringContaining('a folder'),
  });
});

test('warnings about a file stand aside, and are mistakes where they are to be', async () => {
  const file = join(folder, 'warned.yaml');
  await writeFile(file, 'task: Write.\ngenerator: { action: llm.call, provider: ollama }\nevaluator: { type: llm }\n');
  const read = await readRunFile(file);
  const aside = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  tellWarnings(read, {});
  expect(aside.mock.calls.flat().join()).toContain(`Warning: ${file}:2:32  generator.provider: is ignored`);
  aside.mockClear();
  expect(() => tellWarnings(read, { strict: true })).toThrow(`${file}:2:32  generator.provider: is ignored`);
  expect(aside).not.toHaveBeenCalled();
});

test('a key that a template misspells is told before the run, where nothing else adds keys', async () => {
  const file = join(folder, 'misspelt.yaml');
  await writeFile(
    file,
    'task: Write.\nstate: { name: Ada }\ngenerator:\n  action: llm.call\n  prompt: "{{ state.nmae }} {{ state.given }}"\nevaluator: { type: llm }\n',
  );
  const read = await readRunFile(file);
  const aside = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  tellWarnings(read, { state: { given: 1 } });
  expect(aside).not.toHaveBeenCalled();
  tellWarnings(read, { state: { given: 1 }, isWhole: true });
  expect(aside.mock.calls.flat().join()).toContain(`Warning: ${file}:5:3  generator.prompt: prints state.nmae`);
  expect(() => tellWarnings(read, { state: { given: 1 }, strict: true, isWhole: true })).toThrow('did you mean name?');
});
