import { type Document, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import type { Json } from '../json/json';
import type { SpecProblem } from '../contract/spec-problem';
import { type Origin, readNodes } from './read-nodes';
import { inWordsOfFile } from './unknown-key';
import { camelCase, type Shape } from './key-names';
import { type FileProblem, SpecFileError } from './spec-file-error';

interface ReadDocument {
  value: Json;
  top: TopLevel;
  /** The place of a problem; for a missing part, of what is around it. `others`: further keys that the top may have. */
  locate(problem: SpecProblem, others?: readonly string[]): FileProblem[];
  fail(type: SpecFileError['type'], problems: FileProblem[]): never;
}

/** The top of a file: its keys, in camelCase, or a list. */
export interface TopLevel {
  keys: string[];
  isList: boolean;
}

function topLevelOf(contents: Document.Parsed['contents']): TopLevel {
  const items = isMap(contents) ? contents.items : [];
  const keys = items.flatMap(({ key }) => (isScalar(key) ? [camelCase(String(key.value))] : []));
  return { keys, isList: isSeq(contents) };
}

const MAXIMUM_CHARACTERS = 2 * 1024 * 1024;

/** Reads a text as YAML 1.2 (or JSON) into plain JSON. Throws SpecFileError `InvalidYaml` with every problem. */
export function readDocument(text: string, file: string, shape: Shape | ((top: TopLevel) => Shape)): ReadDocument {
  const lines = new LineCounter();
  const problemAt = ({ offset, path }: Origin, message: string): FileProblem => {
    const { line, col } = lines.linePos(offset);
    return { path, message, line: Math.max(1, line), column: Math.max(1, col) };
  };
  const fail = (type: SpecFileError['type'], problems: FileProblem[]): never => {
    throw new SpecFileError(
      type,
      file,
      [...problems].sort((one, other) => one.line - other.line || one.column - other.column),
    );
  };
  const failHere = (message: string) => fail('InvalidYaml', [{ path: '', message, line: 1, column: 1 }]);

  if (text.length > MAXIMUM_CHARACTERS) failHere('the file is larger than 2 MiB, which no run could take');
  const document = parse(text, lines) ?? failHere('the file is nested too deeply to be read');
  // In 1.1, `no` is false and `<<` is not a key.
  if (document.directives.yaml.version !== '1.2') failHere('the file says that it is YAML 1.1; this reads YAML 1.2');
  const mistakes = [...document.errors, ...document.warnings];
  if (mistakes.length > 0) {
    fail(
      'InvalidYaml',
      mistakes.map(({ message, code, pos }) => problemAt({ offset: pos[0], path: '' }, explainMessage(code, message))),
    );
  }
  const top = topLevelOf(document.contents ?? failHere('the file is empty'));
  const known = typeof shape === 'function' ? shape(top) : shape;
  const { value, origins, problems } = readNodes(document, known);
  if (problems.length > 0)
    fail(
      'InvalidYaml',
      problems.map((problem) => problemAt(problem, problem.message)),
    );
  const locate: ReadDocument['locate'] = ({ path, message }, others) =>
    nearestOrigins(path, origins).map((origin) => {
      const written = origin.path.split('.').at(-1) ?? '';
      const above = path.split('/').slice(1, -1);
      return problemAt(origin, inWordsOfFile(message, [...above, written], known, others));
    });
  return { value, top, locate, fail };
}

function parse(text: string, lineCounter: LineCounter): Document.Parsed | undefined {
  try {
    // The parser would compare each key with each other one.
    return parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: false });
  } catch (error) {
    // The parser is recursive: hostile nesting exhausts the stack, which is not a reason to crash.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function explainMessage(code: string, message: string): string {
  if (code === 'MULTIPLE_DOCS') return 'a file holds one spec: remove the document that starts here';
  if (code === 'RESOURCE_EXHAUSTION') return 'is nested too deeply';
  if (code === 'BLOCK_AS_IMPLICIT_KEY') return `${message}; a text with a colon in it must stand in quotes`;
  return message;
}

function nearestOrigins(pointer: string, origins: Map<string, Origin[]>): Origin[] {
  const exact = origins.get(pointer);
  if (exact) return exact;
  const cut = pointer.lastIndexOf('/');
  if (cut < 0) return [{ offset: 0, path: '' }];
  const missing = pointer
    .slice(cut + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
  return nearestOrigins(pointer.slice(0, cut), origins).map(({ offset, path }) => ({
    offset,
    path: path === '' ? missing : `${path}.${missing}`,
  }));
}
