import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { jsonSchemas } from '../../src/kinds/list/schemas';
import { program } from '../../src/apps/cli/program/program';
import { RETRYABLE } from '../../src/lib/models/circuits/failure-type';
import { pageTypes } from '../../testing/build/reference/errors';
import { variableNames } from '../../testing/build/reference/environment';
import { entryPoints, exportsOf, typeNamesIn } from '../../testing/build/reference/public-exports';
import { documentedTypes, shownLines } from '../../testing/build/reference/typescript';
import { referencePages } from '../../testing/build/reference/pages';

const PROJECT = path.join(__dirname, '..', '..');
const FOLDER = path.join(PROJECT, 'docs', 'reference');

/** Names of properties anywhere in a JSON Schema, leaving out examples and constants. */
function propertiesIn(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(propertiesIn);
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]: [string, unknown]) => {
    if (['default', 'examples', 'const', 'enum'].includes(key)) return [];
    if (key !== 'properties') return propertiesIn(value);
    return [...Object.keys(value as object), ...Object.values(value as object).flatMap(propertiesIn)];
  });
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:ts|js)$/.test(file))
    .map((file) => readFileSync(path.join(folder, file), 'utf8'));
}

/** Whether a file declares a type, or imports it from another file of the project. */
function isDeclaredBeside(name: string, file: string): boolean {
  const text = readFileSync(file, 'utf8');
  const imports = [...text.matchAll(/^import [^;]*?\bfrom '\.[^']*';/gm)].map(([whole]) => whole);
  const isImported = imports.some((each) => new RegExp(`\\b${name}\\b`).test(each));
  return isImported || new RegExp(`^(?:export )?(?:class|interface|type) ${name}\\b`, 'm').test(text);
}

describe('docs/reference', () => {
  let pages: Record<string, string>;
  let fields: string;
  beforeAll(async () => {
    pages = await referencePages();
    fields = pages['fields.md']!;
  });

  test('is what `npm run docs:reference` makes of the code', () => {
    expect(readdirSync(FOLDER).toSorted()).toEqual(Object.keys(pages).toSorted());
    for (const [file, text] of Object.entries(pages)) expect(readFileSync(path.join(FOLDER, file), 'utf8')).toBe(text);
  });

  test('has every type of a failure, once, on the page of errors', () => {
    const text = sourceFiles(path.join(PROJECT, 'src')).join('\n');
    const given = /\b(?:type = |permanentFailure\(\s*|type: (?='[\w.]+', message))'([A-Z][\w.]+)'/g;
    const types = [...text.matchAll(given)].map(([, type]) => type!);
    expect(types.length).toBeGreaterThan(50);
    const known = pageTypes();
    expect(known).toHaveLength(new Set(known).size);
    expect(
      [...types, ...Object.keys(RETRYABLE).map((type) => `Model.${type}`)].filter((type) => !known.includes(type)),
    ).toEqual([]);
  });

  test('has a field with its type, default and description, in objects and lists, too', () => {
    expect(fields).toContain('| `qualityThreshold` | number, 0 to 1 | `0.8` |');
    expect(fields).toContain('| `timeouts.modelCall` | duration: milliseconds, or a text such as `2m` | `"2m"` |');
    expect(fields).toContain('| `generator` | [Step](#step) | required |');
    expect(fields).toContain('| `history.people[].name` |');
    expect(fields).toContain('| `usd` | number above 0, at most 1000000 |');
  });

  test('links to its own sections only, and leaves no field without a description but constants', () => {
    const anchors = [...fields.matchAll(/^## (.+)$/gm)].map(([, title]) =>
      title!.toLowerCase().replace(/[^\w]+/g, '-'),
    );
    const links = [...fields.matchAll(/\]\(#([^)]+)\)/g)].map(([, link]) => link!);
    expect(links.length).toBeGreaterThan(20);
    expect(links.filter((link) => !anchors.includes(link))).toEqual([]);
    const bare = fields.split('\n').filter((line) => line.startsWith('| `') && line.endsWith('|  |'));
    expect(bare.filter((line) => !/^\| `[\w.[\]]*(?:type|evaluator)` \| `"\w+"` \|/.test(line))).toEqual([]);
  });

  test('has every field of every published JSON Schema', () => {
    const told = new Set([...fields.matchAll(/^\| `(?:[\w[\]-]+\.)*([\w-]+)(?:\[\])?` \|/gm)].map(([, name]) => name!));
    const inSchemas = new Set(Object.values(jsonSchemas()).flatMap(propertiesIn));
    expect(inSchemas.size).toBeGreaterThan(150);
    expect([...inSchemas].filter((name) => !told.has(name))).toEqual([]);
  });

  test('has every command of `reflect` with every option', () => {
    const page = pages['command-line.md']!;
    const leaves = (command: Command, above = ''): [string, Command][] =>
      command.commands.length > 0
        ? command.commands.flatMap((each) => leaves(each, `${above}${command.name()} `))
        : [[`${above}${command.name()}`, command]];
    const commands = leaves(program(() => {}));
    expect(commands.length).toBeGreaterThan(20);
    for (const [name, command] of commands) {
      const own = page.split(new RegExp(`^## ${name}$`, 'm'))[1]?.split(/^## /m)[0] ?? '';
      for (const { flags } of command.options) expect(own).toContain(`\`${flags.replaceAll('|', '\\|')}\``);
    }
  });

  test('has every variable that the code reads, and no other', () => {
    const code = [...sourceFiles(path.join(PROJECT, 'src')), ...sourceFiles(path.join(PROJECT, 'bin'))].join('\n');
    const read = new Set(
      code.match(/\b(?:(?:REFLECT|OPENAI|TEMPORAL|OTEL)_[A-Z_]*[A-Z]\b|DATABASE_URL\b|DEBUG(?='\]))/g),
    );
    const named = variableNames();
    const isNamed = (name: string): boolean =>
      named.some((one) => one === name || (one.endsWith('*') && name.startsWith(one.slice(0, -2))));
    // Beginnings of names, which the code completes.
    const beginnings = ['REFLECT_ALLOWED'];
    expect([...read].filter((name) => !isNamed(name) && !beginnings.includes(name))).toEqual([]);
    const isRead = (name: string): boolean => code.includes(name.replace(/\*$/, ''));
    expect(named.filter((name) => !isRead(name))).toEqual([]);
  });

  test('has every export of every entry point', () => {
    const page = pages['typescript.md']!;
    const points = entryPoints();
    expect(points.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['durable-reflection', 'durable-reflection/worker', 'durable-reflection/workflow']),
    );
    for (const { file } of points) {
      const names = exportsOf(file).map(({ name }) => name);
      expect(names.length).toBeGreaterThan(2);
      const isThere = (name: string): boolean => new RegExp(`^### ${name}$`, 'm').test(page);
      expect(names.filter((name) => !isThere(name))).toEqual([]);
    }
    expect(page).toContain(
      '- `start(spec: ReflectionSpecInput, options?: StartOptions): Promise<Started<ReflectionResult>>`',
    );
  });

  test('has each type that a signature names, of the package', () => {
    const page = pages['typescript.md']!;
    const { exported, reached } = documentedTypes();
    expect(reached.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['RunTarget', 'TemporalStartOptions', 'TextEvent']),
    );
    const titles = new Set([...page.matchAll(/^### (\w+)$/gm)].map(([, name]) => name!));
    const named = [...exported, ...reached].flatMap((one) =>
      typeNamesIn(shownLines(one)).map((name) => ({ name, file: one.file })),
    );
    const missing = named.filter(({ name, file }) => !titles.has(name) && isDeclaredBeside(name, file));
    expect(missing).toEqual([]);
  });

  test('has the messages of every kind of run, with what they carry and answer', () => {
    const page = pages['messages.md']!;
    expect(page).toContain(
      '| `accept` | signal, update | [Command accept](fields.md#command-accept), may be left out |',
    );
    expect(page).toContain('| `trigger` | signal, update | [AgentEvent](fields.md#agentevent) | [TriggerAnswer]');
    expect(page.match(/^\| `progress` \| query \|/gm)).toHaveLength(5);
    const defined = sourceFiles(path.join(PROJECT, 'src', 'workflows'))
      .filter((text) => !text.includes('no other caller sends them'))
      .flatMap((text) => [...text.matchAll(/= define(?:Query|Signal|Update)(?:<.*>)?\('(\w+)'\)/g)])
      .map(([, name]) => name!);
    expect(defined.length).toBeGreaterThan(15);
    expect(defined.filter((name) => !page.includes(`| \`${name}\` |`))).toEqual([]);
  });

  test("has a worker's own metrics with their labels", () => {
    const page = pages['metrics.md']!;
    expect(page).toContain('| `reflect_model_calls_total` | counter | `model`, `activity`, `outcome` |');
    const declared = readFileSync(path.join(PROJECT, 'src/lib/observability/metrics.ts'), 'utf8').match(
      /(?<=')reflect_\w+/g,
    );
    expect(declared?.length).toBeGreaterThan(4);
    expect(declared?.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});
