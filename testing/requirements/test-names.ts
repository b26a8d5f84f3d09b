import { childrenOf, isNode, parseSource, type SyntaxNode } from '../structure/syntax';

const DECLARES = new Set(['test', 'it', 'describe']);

/** What is called, without `.each(…)`, `.only` and the like: `['test', 'skip']` for `test.skip.each(rows)`. */
function pathOf(callee: unknown): string[] {
  if (!isNode(callee)) return [];
  if (callee.type === 'Identifier') return [callee['name'] as string];
  if (callee.type === 'CallExpression') return pathOf(callee['callee']);
  if (callee.type === 'TaggedTemplateExpression') return pathOf(callee['tag']);
  if (callee.type !== 'MemberExpression') return [];
  return [...pathOf(callee['object']), ...pathOf(callee['property'])];
}

/** `const onLinux = isLinux ? test : test.skip` declares tests, too. */
function isAlias(init: unknown): boolean {
  if (!isNode(init)) return false;
  if (init.type === 'ConditionalExpression') return isAlias(init['consequent']) || isAlias(init['alternate']);
  return ['Identifier', 'MemberExpression'].includes(init.type) && DECLARES.has(pathOf(init)[0] ?? '');
}

function aliasesIn(node: SyntaxNode): string[] {
  const own = node.type === 'VariableDeclarator' && isAlias(node['init']) ? pathOf(node['id']) : [];
  return [...own, ...childrenOf(node).flatMap(aliasesIn)];
}

export interface DeclaredTest {
  /** The name as it is written: `%s` and `${value}` stay. Undefined for a name that is computed. */
  name: string | undefined;
  /** The names of the `describe` blocks around the test, outermost first. */
  blocks: string[];
}

/** Lists the tests in the source of a test file. Tests that are skipped or only planned are left out. */
export function testsIn(source: string): DeclaredTest[] {
  const { program: file } = parseSource(source);
  const declares = new Set([...DECLARES, ...aliasesIn(file)]);

  const nameOf = (argument: SyntaxNode | undefined): string | undefined => {
    if (argument?.type === 'StringLiteral') return argument['value'] as string;
    return argument?.type === 'TemplateLiteral' ? source.slice(argument.start + 1, argument.end - 1) : undefined;
  };
  const visit = (node: SyntaxNode, blocks: string[]): DeclaredTest[] => {
    const within = (inner = blocks) => childrenOf(node).flatMap((child) => visit(child, inner));
    if (node.type !== 'CallExpression') return within();
    const [root = '', ...more] = pathOf(node['callee']);
    if (more.includes('skip') || more.includes('todo') || /^x(?:it|test|describe)$/.test(root)) return [];
    const [title, run] = node['arguments'] as SyntaxNode[];
    // `/a/.test(text)` and `test.each(rows)` have one argument.
    if (!declares.has(root) || !title || !run) return within();
    const name = nameOf(title);
    const inner = within(name === undefined ? blocks : [...blocks, name]);
    return inner.length > 0 || root === 'describe' ? inner : [{ name, blocks }];
  };
  return visit(file, []);
}

/** Lists the names of tests and of the `describe` blocks around them, each once. */
export function namesInTests(source: string): string[] {
  return [
    ...new Set(testsIn(source).flatMap(({ name, blocks }) => [...blocks, ...(name === undefined ? [] : [name])])),
  ];
}
