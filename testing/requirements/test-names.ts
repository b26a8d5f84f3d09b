// Comes with jest.
import { parse } from '@babel/parser';

interface SyntaxNode {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

const DECLARES = new Set(['test', 'it', 'describe']);

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  return Object.values(node)
    .flatMap((value): unknown => value)
    .filter(isNode);
}

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

/**
 * The names of tests, and of the `describe` around them, in the source of a test file, as they are written: `%s` and `${value}`
 * stay. Tests that are skipped or only planned have none.
 */
export function namesInTests(source: string): string[] {
  const { program } = parse(source, { sourceType: 'module', plugins: ['typescript'] });
  const file = program as unknown as SyntaxNode;
  const declares = new Set([...DECLARES, ...aliasesIn(file)]);

  const namesIn = (node: SyntaxNode): string[] => {
    const within = () => childrenOf(node).flatMap(namesIn);
    if (node.type !== 'CallExpression') return within();
    const [root, ...more] = pathOf(node['callee']);
    if (more.includes('skip') || more.includes('todo') || /^x(?:it|test|describe)$/.test(root ?? '')) return [];
    const [name] = node['arguments'] as SyntaxNode[];
    if (!declares.has(root ?? '') || !name) return within();
    if (name.type === 'StringLiteral') return [name['value'] as string, ...within()];
    if (name.type === 'TemplateLiteral') return [source.slice(name.start + 1, name.end - 1), ...within()];
    return within();
  };
  return [...new Set(namesIn(file))];
}
