/** Finds what the entry points of the package export, and where it is declared. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type ClassMember, type Declaration, type ModuleItem, parseSync, type Span } from '@swc/core';

const PROJECT = path.join(__dirname, '..', '..', '..');

/** A source file: its statements, and the text of a span of it. */
interface Source {
  file: string;
  items: ModuleItem[];
  text(from: number, to: number): string;
  /** The comment before a position, without its stars. */
  doc(position: number): string;
}

export interface Declared {
  name: string;
  /** The file that declares it. */
  file: string;
  kind: 'class' | 'function' | 'interface' | 'type' | 'value';
  doc: string;
  /** What it is, in one line of TypeScript. */
  signature: string;
  members: { signature: string; doc: string }[];
}

const sources = new Map<string, Source>();

function readSource(file: string): Source {
  const known = sources.get(file);
  if (known) return known;
  // The parser counts bytes, over all files; a statement at the start says where this file begins.
  const bytes = Buffer.from(`;${readFileSync(file, 'utf8')}`);
  const { body } = parseSync(bytes.toString(), { syntax: 'typescript', target: 'es2022' });
  const start = (body[0] as { span: Span }).span.start;
  const text = (from: number, to: number): string => bytes.subarray(from - start, to - start).toString();
  const doc = (position: number): string => {
    const before = text(start, position).trimEnd();
    return before.endsWith('*/') ? docText(before.slice(before.lastIndexOf('/*'))) : '';
  };
  const source = { file, items: body, text, doc };
  sources.set(file, source);
  return source;
}

/** What a comment says, in one paragraph. */
function docText(comment: string): string {
  if (!comment.startsWith('/**')) return '';
  return comment
    .replace(/^\/\*\*|\*\/$/g, '')
    .replaceAll(/^\s*\* ?/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/\.? ?@throws /g, '. Throws ')
    .replaceAll(/\.? ?@param (\w+) /g, '. `$1`: ')
    .replace(/^\. /, '')
    .replace(/([^.:])$/, '$1.');
}

/** One line of TypeScript: no keywords of the module, no body, optional parameters as such. */
function oneLine(text: string): string {
  return text
    .replaceAll(/\/\*\*[^]*?\*\//g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/^(?:export |declare |async |readonly (?=#))+/g, '')
    .replaceAll(/(\w+): ([\w<>[\]'. |&]+?) = (?:\{\}|[\w']+)(?=[,)])/g, '$1?: $2')
    .replaceAll(/,(?= [)}\]])/g, '')
    .replaceAll(/\( /g, '(')
    .replaceAll(/ \)/g, ')')
    .replace(/[;{ ]+$/, '')
    .trim();
}

const KINDS: Record<string, Declared['kind']> = {
  ClassDeclaration: 'class',
  FunctionDeclaration: 'function',
  TsInterfaceDeclaration: 'interface',
  TsTypeAliasDeclaration: 'type',
};

function namesOf(declaration: Declaration): string[] {
  if (declaration.type === 'VariableDeclaration') {
    return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.value] : []));
  }
  const { id, identifier } = declaration as { id?: { value?: string }; identifier?: { value: string } };
  return [identifier?.value ?? id?.value ?? ''];
}

/** The public members of a class; of a method with several signatures, these. */
function classMembers(members: readonly ClassMember[], source: Source): Declared['members'] {
  const overloaded = new Set<string>();
  return members.flatMap((member) => {
    const { start, end } = (member as { span: Span }).span;
    if (member.type === 'Constructor') {
      // Instances come from a static method.
      if (member.accessibility === 'private') return [];
      const to = member.body ? (member.body as { span: Span }).span.start : end;
      return [{ signature: oneLine(source.text(start, to)), doc: source.doc(start) }];
    }
    if ((member.type !== 'ClassMethod' && member.type !== 'ClassProperty') || member.accessibility === 'private')
      return [];
    if (member.type === 'ClassProperty') {
      // Where the type is written, what it begins with is of no interest.
      const value = member.typeAnnotation ? (member.value as { span: Span } | undefined) : undefined;
      const text = oneLine(source.text(start, value?.span.start ?? end));
      return [{ signature: value ? text.replace(/\s*=$/, '') : text, doc: source.doc(start) }];
    }
    const name = 'value' in member.key ? String(member.key.value) : '';
    if (!member.function.body) overloaded.add(name);
    else if (overloaded.has(name)) return [];
    const to = member.function.body?.span.start ?? end;
    // How a promise is made is none of a caller's business.
    const signature = oneLine(source.text(start, to)).replace(/^((?:static |override )*)async /, '$1');
    return [{ signature, doc: source.doc(start) }];
  });
}

function described(name: string, item: { span: Span; declaration: Declaration }, source: Source): Declared {
  const { declaration, span } = item;
  const kind = KINDS[declaration.type] ?? 'value';
  const { start } = span;
  const doc = source.doc(start);
  const head = (to: number): string => oneLine(source.text(start, to));
  const { file } = source;
  if (declaration.type === 'ClassDeclaration') {
    const signature = head(span.end).replace(/ \{.*$/, '');
    return { name, file, kind, doc, signature, members: classMembers(declaration.body, source) };
  }
  if (declaration.type === 'TsInterfaceDeclaration') {
    const members = declaration.body.body.map((member) => ({
      signature: oneLine(source.text(member.span.start, member.span.end)),
      doc: source.doc(member.span.start),
    }));
    return { name, file, kind, doc, signature: head(declaration.body.span.start), members };
  }
  const end = declaration.type === 'FunctionDeclaration' ? (declaration.body?.span.start ?? span.end) : span.end;
  // What a run passes on when it continues as new is given by no caller.
  const signature = head(end).replace(/, (?:carried|earlier)\?: [^)]*(?=\))/, '');
  return { name, file, kind, doc, signature, members: [] };
}

function resolved(from: string, specifier: string): string {
  const base = path.resolve(path.dirname(from), specifier);
  return [`${base}.ts`, path.join(base, 'index.ts')].find((file) => existsSync(file)) ?? base;
}

/** The names that a file imports from others of the project: where each is, and what it is called there. */
function importsOf(source: Source): Map<string, { file: string; name: string }> {
  const names = new Map<string, { file: string; name: string }>();
  for (const item of source.items) {
    if (item.type !== 'ImportDeclaration' || !item.source.value.startsWith('.')) continue;
    for (const specifier of item.specifiers) {
      if (specifier.type !== 'ImportSpecifier') continue;
      const name = (specifier.imported ?? specifier.local).value;
      names.set(specifier.local.value, { file: resolved(source.file, item.source.value), name });
    }
  }
  return names;
}

/** The names that a file exports from others: where each is, and what it is called there. */
function passedOn(source: Source): Map<string, { file: string; name: string }> {
  const imported = importsOf(source);
  const names = new Map<string, { file: string; name: string }>();
  for (const item of source.items) {
    if (item.type !== 'ExportNamedDeclaration') continue;
    for (const specifier of item.specifiers) {
      if (specifier.type !== 'ExportSpecifier') continue;
      const name = specifier.orig.value;
      const origin = item.source ? { file: resolved(source.file, item.source.value), name } : imported.get(name);
      if (origin) names.set((specifier.exported ?? specifier.orig).value, origin);
    }
  }
  return names;
}

/**
 * A declaration of a file, or of the file that it takes it from.
 *
 * @throws Error where nothing declares it
 */
function declarationOf(name: string, file: string): Declared {
  const source = readSource(file);
  for (const item of source.items) {
    if (item.type !== 'ExportDeclaration' || !namesOf(item.declaration).includes(name)) continue;
    return described(name, item, source);
  }
  const elsewhere = passedOn(source).get(name);
  if (!elsewhere) throw new Error(`${file} exports no ${name}`);
  return { ...declarationOf(elsewhere.name, elsewhere.file), name };
}

/** A declaration by which a file calls a type: its own, also one that it does not export, or one that it imports. */
function typeCalled(name: string, file: string): Declared | undefined {
  const source = readSource(file);
  for (const item of source.items) {
    const isOwn = item.type in KINDS && namesOf(item as Declaration).includes(name);
    if (isOwn) return described(name, { span: (item as Declaration).span, declaration: item as Declaration }, source);
    const isExported = item.type === 'ExportDeclaration' && namesOf(item.declaration).includes(name);
    if (isExported) return described(name, item, source);
  }
  const imported = importsOf(source).get(name);
  return imported && declarationOf(imported.name, imported.file);
}

/** The names of types in some lines of TypeScript, without what is in quotes. */
export function typeNamesIn(lines: readonly string[]): string[] {
  const names = lines.flatMap((line) => line.replaceAll(/'[^']*'|`[^`]*`/g, "''").match(/(?<![\w.#])[A-Z]\w*/g) ?? []);
  // Names in capitals are those of constants.
  return [...new Set(names)].filter((name) => !/^[A-Z][A-Z_]{2,}$/.test(name));
}

/**
 * All types that some declarations name and that are not among them, and those that these name, in alphabetical order. Types of
 * other packages are left out.
 *
 * @param linesOf the lines of a declaration that a reader is shown
 */
export function reachedFrom(
  declarations: readonly Declared[],
  linesOf: (declared: Declared) => readonly string[],
): Declared[] {
  const known = new Set(declarations.map(({ name }) => name));
  const reached: Declared[] = [];
  const open = [...declarations];
  for (let next = open.pop(); next; next = open.pop()) {
    for (const name of typeNamesIn(linesOf(next))) {
      const found = known.has(name) ? undefined : typeCalled(name, next.file);
      if (!found) continue;
      known.add(name);
      reached.push({ ...found, name });
      open.push(found);
    }
  }
  return reached.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** The entry points: the name that is imported, and the file. */
export function entryPoints(): { name: string; file: string }[] {
  const { name, exports } = JSON.parse(readFileSync(path.join(PROJECT, 'package.json'), 'utf8')) as {
    name: string;
    exports: Record<string, string | { types: string }>;
  };
  return Object.entries(exports).flatMap(([key, value]) =>
    typeof value === 'string'
      ? []
      : [
          {
            name: key === '.' ? name : `${name}${key.slice(1)}`,
            file: path.join(PROJECT, value.types.replace('./dist/', 'src/').replace('.d.ts', '.ts')),
          },
        ],
  );
}

/** All that an entry point exports, in alphabetical order. */
export function exportsOf(file: string): Declared[] {
  const source = readSource(file);
  const own = source.items.flatMap((item) => (item.type === 'ExportDeclaration' ? namesOf(item.declaration) : []));
  return [...own, ...passedOn(source).keys()].toSorted().map((name) => declarationOf(name, file));
}
