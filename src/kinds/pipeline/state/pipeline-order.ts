import type { SpecProblem } from '../../../lib/contract/spec-problem';

const START = '__start__';
const END = '__end__';

interface Edge {
  from: string;
  to: string;
}

export function nodeNameProblems(names: readonly string[]): SpecProblem[] {
  return names.flatMap((name, index) => {
    const path = `/nodes/${index}/name`;
    if (name === START || name === END)
      return [{ path, message: `"${name}" means the ${name.slice(2, -2)} of every line` }];
    const first = names.indexOf(name);
    return first < index ? [{ path, message: `node ${first + 1} is called "${name}" already` }] : [];
  });
}

/** Edges may only repeat that the nodes run in their order. Beside an edge of another form, whether edges are missing is unknown. */
export function edgeProblems(names: readonly string[], edges: readonly unknown[]): SpecProblem[] {
  const line = [START, ...names, END];
  const known = { from: line.slice(0, -1), to: line.slice(1) };
  const problems: SpecProblem[] = [];
  const drawn = new Set<string>();
  for (const [index, edge] of edges.entries()) {
    if (!isEdge(edge)) continue;
    const { from, to } = edge;
    const path = `/edges/${index}`;
    const unknown = (['from', 'to'] as const).filter((end) => !known[end].includes(edge[end]));
    problems.push(...unknown.map((end) => ({ path: `${path}/${end}`, message: unknownEnd(end, edge[end], line) })));
    if (unknown.length > 0) continue;
    const next = line[line.indexOf(from) + 1]!;
    if (to !== next) {
      const message = `nodes run in the order in which they stand: the one edge that leaves "${from}" goes to "${next}"; branches and loops of edges are not supported`;
      problems.push({ path, message });
    } else if (drawn.has(from)) problems.push({ path, message: 'this edge is drawn already' });
    else drawn.add(from);
  }
  if (problems.length > 0 || edges.length === 0 || !edges.every(isEdge)) return problems;
  // Too few edges would leave nodes out, or say that the line goes on elsewhere.
  return line
    .slice(0, -1)
    .filter((from) => !drawn.has(from))
    .map((from) => ({
      path: '/edges',
      message: `the edge from "${from}" to "${line[line.indexOf(from) + 1]}" is missing`,
    }));
}

function isEdge(edge: unknown): edge is Edge {
  const { from, to } = (edge ?? {}) as Partial<Record<keyof Edge, unknown>>;
  return typeof from === 'string' && typeof to === 'string';
}

function unknownEnd(end: 'from' | 'to', name: string, line: readonly string[]): string {
  if (line.includes(name)) return `no edge ${end === 'from' ? 'leaves' : 'leads to'} "${name}"`;
  return `there is no node "${name}"`;
}
