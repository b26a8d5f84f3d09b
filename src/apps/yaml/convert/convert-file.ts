import { isDeepStrictEqual } from 'node:util';
import { Document, isCollection, isMap, type Node } from 'yaml';
import { isJsonObject, type Json } from '../../../lib/json/json';
import { jsonPointer } from '../../../lib/json/json-pointer';
import type { Shape } from '../../../lib/yaml/key-names';
import { type ConfigFile, parseFile, type ReflectionFile } from '../parse/parse-file';
import { FILE_KINDS } from '../../../kinds/list/files';
import { SPEC_SHAPE } from '../forms/shapes';
import { type FileProblem, SpecFileError } from '../../../lib/yaml/spec-file-error';
import { findLeftOut, writtenText } from './left-out';
import { remarksOn } from './remarks';
import { type BuiltPart, SpecNodes } from './spec-nodes';
import { writtenFile, type WrittenPart } from './written-parts';

function shapeOfSpec(kind: Exclude<ReflectionFile['kind'], 'config'>): Shape {
  return kind === 'loop' ? SPEC_SHAPE : FILE_KINDS[kind].shape({ keys: [], isList: false });
}

/** Columns of a comment. */
const WIDTH = 100;

/**
 * Converts a file to the words of this package, without short forms and without relying on defaults of files. Comments and
 * order are kept. A new comment lists the parts that were left out, and those that have another meaning here.
 *
 * @throws SpecFileError for a file that cannot be run
 */
export function convertFile(text: string, file: string): string {
  const read = parseFile(text, file);
  if (read.kind === 'config') {
    const message = 'the file holds configuration, which has no other form';
    throw new SpecFileError('InvalidSpec', file, [{ path: '', message, line: 1, column: 1 }]);
  }
  const converted = writeSpec(text, read);
  if (isDeepStrictEqual(specOf(parseFile(converted, file)), specOf(read))) return converted;
  throw new Error(`${file}, converted, would not mean the same. This is a mistake of this package: please report it.`);
}

function specOf(read: ReflectionFile): Json {
  return ('spec' in read ? read.spec : null) as unknown as Json;
}

function writeSpec(text: string, read: Exclude<ReflectionFile, ConfigFile>): string {
  const source = writtenFile(text);
  const { contents } = source.document;
  const nodes = new SpecNodes(
    (path) => read.locate({ path, message: '' }).flatMap((place) => source.partAt(place) ?? []),
    isCollection(contents) && contents.flow === true,
  );
  const spec = specOf(read);
  const document = new Document();
  document.contents = nodes.build(spec, shapeOfSpec(read.kind));
  document.commentBefore = source.document.commentBefore;
  document.comment = source.document.comment;
  const around = (part: WrittenPart | undefined): BuiltPart | undefined => {
    for (let each = part; each; each = each.parent) {
      const built = nodes.built.get(each);
      if (built && !built.isInline) return built;
    }
    return undefined;
  };
  const addComment = (
    comment: string,
    { place }: { place: Pick<Node, 'commentBefore'> } = { place: document },
  ): void => {
    place.commentBefore = [...(place.commentBefore ? [place.commentBefore] : []), comment].join('\n');
  };

  for (const [pointer, remark] of remarksOn(pointersOf(spec))) addComment(lines(remark), inBlock(nodes, pointer));
  const warnings = warningsOf(read);
  const unused = findLeftOut(source.parts, nodes.built);
  for (const { part, next } of unused) {
    const why = warnings.filter((warning) => isBelow(source.partAt(warning), part)).map(({ message }) => message);
    const said = why.length > 0 ? why.join('; ') : 'not needed here, or said in another way';
    const comment = `${lines(`left out (${said}):`)}\n${writtenText(text, part)}`;
    const above = nodes.built.get(part.parent!)?.value;
    if (next || !isMap(above) || above.flow) addComment(comment, around(next ?? part.parent));
    else above.comment = [...(above.comment ? [above.comment] : []), comment].join('\n');
  }
  for (const warning of warnings) {
    const part = source.partAt(warning);
    if (unused.some((each) => isBelow(part, each.part))) continue;
    addComment(lines(`${warning.path}: ${warning.message}`), around(part));
  }
  return document.toString({ lineWidth: 0 });
}

/** Lists the parts of a file that are taken in another way than its author may expect. */
function warningsOf(read: ReflectionFile): FileProblem[] {
  return 'warnings' in read ? read.warnings() : [];
}

function isBelow(part: WrittenPart | undefined, above: WrittenPart): boolean {
  for (let each = part; each; each = each.parent) if (each === above) return true;
  return false;
}

/** Returns the nearest part around a pointer before which a comment can stand. */
function inBlock({ byPointer }: SpecNodes, pointer: string): BuiltPart | undefined {
  for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const built = byPointer.get(at);
    if (built && !built.isInline) return built;
  }
  return byPointer.get('');
}

function* pointersOf(value: Json, segments: readonly (string | number)[] = []): Generator<[string, Json]> {
  yield [jsonPointer(segments), value];
  const entries = Array.isArray(value) ? value.entries() : isJsonObject(value) ? Object.entries(value) : [];
  for (const [key, inner] of entries) yield* pointersOf(inner, [...segments, key]);
}

/** Returns the lines of a comment, as the writer of YAML takes them. */
function lines(text: string): string {
  const wrapped: string[] = [''];
  for (const word of `NOTE: ${text}`.split(' ')) {
    if (wrapped.at(-1)!.length + word.length >= WIDTH) wrapped.push('');
    wrapped.push(`${wrapped.pop()!} ${word}`);
  }
  return wrapped.join('\n');
}
