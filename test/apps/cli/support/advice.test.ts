import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { program } from '../../../../src/apps/cli/program/program';
import { adviceFor, advisedTypes } from '../../../../src/apps/cli/support/advice';
import { timeouts } from '../../../../src/loop/contract/loop-options';
import { RETRYABLE } from '../../../../src/lib/models/circuits/failure-type';

const ROOT = join(__dirname, '..', '..', '..', '..');
const ADVICE = advisedTypes().map((type) => [type, adviceFor(type, '')!] as const);

test.each(Object.keys(RETRYABLE))('a model call that fails as %s has advice', (type) => {
  expect(adviceFor(`Model.${type}`, '')).toMatch(/\.$/);
});

test('advice about an unknown model names every option of a worker that decides which models it has', () => {
  const worker = program(() => undefined).commands.find((command) => command.name() === 'worker')!;
  const ofModels = optionsOf(worker).filter((option) => option.endsWith('models'));
  expect(ofModels.toSorted()).toEqual(['--allow-models', '--models']);
  for (const option of ofModels) expect(adviceFor('UnknownModel', '')).toMatch(new RegExp(`[^-]${option}\\b`));
});

test('what is told of a list without search attributes depends on the message alone', () => {
  expect(adviceFor('ServiceError', 'invalid search attribute: X')).toContain('doctor --fix');
  expect(adviceFor('ServiceError', 'another')).toBeUndefined();
});

function optionsOf(command: Command): string[] {
  return command.options.flatMap(({ long }) => long ?? []);
}

/** What a text tells people to type that no command takes. */
function wrongCommands(text: string): string[] {
  const typed = [...text.matchAll(/npx reflect ((?:[a-z]+ ?)+)([^`'"\n]*)/g)];
  return typed.flatMap(([all, words, rest]) => {
    let command: Command | undefined = program(() => undefined);
    for (const word of words!.trim().split(' ')) {
      if (command.commands.length === 0) break;
      command = command.commands.find((each) => each.name() === word);
      if (command === undefined) return [all];
    }
    const options = [...rest!.matchAll(/--[a-z-]+/g)].map(([option]) => option);
    const known = optionsOf(command);
    return options.every((option) => known.includes(option)) ? [] : [all];
  });
}

test('the check of commands finds a wrong command and a wrong option', () => {
  expect(wrongCommands('Try `npx reflect explain x` or `npx reflect list --state`.')).toHaveLength(2);
});

test('advice names commands and options that are there', () => {
  for (const [, advice] of ADVICE) expect(wrongCommands(advice)).toEqual([]);
});

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? sources(path) : path.endsWith('.ts') ? [path] : [];
  });
}

test('every command that the sources tell people to type is there', () => {
  const files = sources(join(ROOT, 'src'));
  const wrong = files.flatMap((file) => wrongCommands(readFileSync(file, 'utf8')).map((each) => `${file}: ${each}`));
  expect(wrong).toEqual([]);
});

test('advice names variables and timeouts that are there', () => {
  const variables = readFileSync(join(ROOT, 'docs', 'reference', 'environment.md'), 'utf8');
  for (const [, advice] of ADVICE) {
    for (const [name] of advice.matchAll(/\b[A-Z]{3,}_[A-Z_]+\b/g)) expect(variables).toContain(name);
    for (const [, name] of advice.matchAll(/`timeouts\.(\w+)`/g)) expect(Object.keys(timeouts.shape)).toContain(name);
  }
});
