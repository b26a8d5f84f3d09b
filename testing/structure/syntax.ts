// Comes with jest.
import { parse } from '@babel/parser';

export interface SyntaxNode {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

export interface Comment {
  type: 'CommentBlock' | 'CommentLine';
  value: string;
  start: number;
  end: number;
}

export const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  return Object.values(node)
    .flatMap((value): unknown => value)
    .filter((value): value is SyntaxNode => isNode(value) && !/^Comment(?:Block|Line)$/.test(value.type));
}

/** Parses TypeScript. */
export function parseSource(source: string): { program: SyntaxNode; comments: Comment[] } {
  const { program, comments } = parse(source, { sourceType: 'module', plugins: ['typescript'] });
  return { program: program as unknown as SyntaxNode, comments: (comments ?? []) as Comment[] };
}

/** Lists a node and everything below it, in the order of the source. */
export function nodesIn(node: SyntaxNode): SyntaxNode[] {
  const nodes: SyntaxNode[] = [];
  const visit = (each: SyntaxNode): void => {
    nodes.push(each);
    for (const child of childrenOf(each)) visit(child);
  };
  visit(node);
  return nodes;
}
