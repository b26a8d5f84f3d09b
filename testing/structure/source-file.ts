/** Reads from one source file what the structure of the project is counted by. */
import { beginsWithVerb, forbiddenOpening, isParticiple, returnsNothing, textOfComment } from './language.cjs';
import { isNode, nodesIn, parseSource, type Comment, type SyntaxNode } from './syntax';

export interface NamedFunction {
  name: string;
  /** Whether the declared return type says that the function returns nothing: `void`, `Promise<void>`, `never`. */
  returnsNothing: boolean;
}

export interface Import {
  specifier: string;
  typeOnly: boolean;
}

export interface SourceFile {
  functions: NamedFunction[];
  docstrings: string[];
  /** The text of all comments, without code in backticks and without directives. */
  commentText: string;
  /** Lines that are neither empty nor only comment. */
  codeLines: number;
  rawLines: number;
  imports: Import[];
  /** Names that the file exports. */
  exports: string[];
}

const nameOf = (node: unknown): string | undefined => {
  if (!isNode(node)) return undefined;
  return node.type === 'Identifier' ? (node['name'] as string) : (node['value'] as string | undefined);
};
const nodesOf = (value: unknown): SyntaxNode[] => (Array.isArray(value) ? value.filter(isNode) : []);

/** Lists declared functions, constants that hold a function, and methods. */
function functionsIn(nodes: readonly SyntaxNode[]): NamedFunction[] {
  return nodes.flatMap((node) => {
    const isMethod = ['ClassMethod', 'ObjectMethod'].includes(node.type) && node['kind'] === 'method';
    const init = node['init'];
    const isHeld =
      node.type === 'VariableDeclarator' &&
      isNode(init) &&
      ['ArrowFunctionExpression', 'FunctionExpression'].includes(init.type);
    if (node.type !== 'FunctionDeclaration' && !isMethod && !isHeld) return [];
    const name = node['computed'] ? undefined : nameOf(isMethod ? node['key'] : node['id']);
    return name === undefined ? [] : [{ name, returnsNothing: returnsNothing((isHeld ? init : node)['returnType']) }];
  });
}

function importsIn(nodes: readonly SyntaxNode[]): Import[] {
  const isTypeOnly = (node: SyntaxNode, kind: 'importKind' | 'exportKind'): boolean => {
    const specifiers = nodesOf(node['specifiers']);
    return node[kind] === 'type' || (specifiers.length > 0 && specifiers.every((each) => each[kind] === 'type'));
  };
  return nodes.flatMap((node) => {
    const importOf = (source: unknown, typeOnly: boolean): Import[] =>
      isNode(source) && source.type === 'StringLiteral' ? [{ specifier: source['value'] as string, typeOnly }] : [];
    if (node.type === 'ImportDeclaration') return importOf(node['source'], isTypeOnly(node, 'importKind'));
    if (node.type === 'ExportNamedDeclaration') return importOf(node['source'], isTypeOnly(node, 'exportKind'));
    if (node.type === 'TSImportType') return importOf(node['argument'], true);
    if (node.type !== 'CallExpression') return [];
    const callee = node['callee'] as SyntaxNode;
    const isImport = callee.type === 'Import' || nameOf(callee) === 'require';
    return isImport ? importOf(nodesOf(node['arguments'])[0], false) : [];
  });
}

function exportsIn(program: SyntaxNode): string[] {
  return nodesOf(program['body']).flatMap((node) => {
    if (node.type !== 'ExportNamedDeclaration') return [];
    const declaration = node['declaration'];
    const declared = isNode(declaration)
      ? [declaration['id'], ...nodesOf(declaration['declarations']).map((each) => each['id'])]
      : [];
    return [...declared, ...nodesOf(node['specifiers']).map((each) => each['exported'])]
      .map(nameOf)
      .filter((name) => name !== undefined);
  });
}

const isDirective = ({ value }: Comment): boolean => /^\s*(?:oxlint|eslint|@ts|prettier|c8|istanbul)-/.test(value);

/** Blanks out what stands between the places, and keeps line breaks. */
function withoutComments(source: string, comments: readonly Comment[]): string {
  return comments
    .toReversed()
    .reduce(
      (text, { start, end }) =>
        text.slice(0, start) + text.slice(start, end).replaceAll(/[^\n]/g, ' ') + text.slice(end),
      source,
    );
}

const countLines = (text: string): number => text.split('\n').filter((line) => line.trim() !== '').length;

export function readSourceFile(source: string): SourceFile {
  const { program, comments } = parseSource(source);
  const nodes = nodesIn(program);
  return {
    functions: functionsIn(nodes),
    docstrings: comments
      .filter(({ type, value }) => type === 'CommentBlock' && value.startsWith('*'))
      .map(({ value }) => value),
    commentText: comments
      .filter((comment) => !isDirective(comment))
      .map(({ value }) => value.replaceAll(/^[ \t]*\*+ ?/gm, '').replaceAll(/`[^`]*`/g, ' '))
      .join('\n'),
    codeLines: countLines(withoutComments(source, comments)),
    rawLines: source.split('\n').length - (source.endsWith('\n') ? 1 : 0),
    imports: importsIn(nodes),
    exports: exportsIn(program),
  };
}

/** Lists the violations of the language rules in a file, each as a line. */
export function languageProblems({ functions, docstrings }: SourceFile): {
  participles: string[];
  actingWithoutVerb: string[];
  openings: string[];
} {
  return {
    participles: functions.map(({ name }) => name).filter(isParticiple),
    actingWithoutVerb: functions
      .filter(({ name, returnsNothing: acts }) => acts && !beginsWithVerb(name))
      .map(({ name }) => name),
    openings: docstrings
      .filter((docstring) => forbiddenOpening(docstring) !== undefined)
      .map((docstring) => textOfComment(docstring).split('\n')[0]!),
  };
}
