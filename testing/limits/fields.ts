import { choicesOf, isDuration, isLoopSpec, kindOf, labelOf, type SchemaNode } from './schema-node';

/** A step from a schema to a part of it. */
export type Step = { key: string } | { item: true } | { choice: number; label: string };

/** A field that has a size or a count. */
export interface SizedField {
  path: Step[];
  /** For people and for `--case`. */
  name: string;
  kind: 'number' | 'text' | 'list' | 'free' | 'duration';
  /** Undefined: the contract has no maximum for it. */
  maximum: number | undefined;
}

/** zod's own bound of a whole number: nobody chose it. */
const NO_MAXIMUM = Number.MAX_SAFE_INTEGER;

function maximumOf(node: SchemaNode): number | undefined {
  switch (kindOf(node)) {
    case 'number': {
      const maximum = node.maximum ?? node.exclusiveMaximum;
      return maximum === NO_MAXIMUM ? undefined : maximum;
    }
    case 'text':
      // `^[…]{1,100}$` bounds a text as `maxLength` does.
      return node.maxLength ?? lengthInPattern(node.pattern);
    case 'list':
      return node.maxItems;
    case 'choice':
      // A duration: the longest as a number of milliseconds.
      return node.anyOf?.find(({ type }) => type === 'number')?.maximum;
    default:
      return undefined;
  }
}

function lengthInPattern(pattern: string | undefined): number | undefined {
  const length = /^\^\[.*\]\{\d+,(\d+)\}\$$/.exec(pattern ?? '')?.[1];
  return length === undefined ? undefined : Number(length);
}

function nameOf(path: readonly Step[]): string {
  return path
    .map((step) => ('key' in step ? `.${step.key}` : 'item' in step ? '[]' : `(${step.label})`))
    .join('')
    .replace(/^\./, '');
}

/** Every field of a shape that has a size or a count, wherever it stands. */
export function sizedFields(root: SchemaNode): SizedField[] {
  const found: SizedField[] = [];
  const note = (path: Step[], kind: SizedField['kind'], node: SchemaNode): void => {
    found.push({ path, name: nameOf(path), kind, maximum: maximumOf(node) });
  };
  const walk = (node: SchemaNode, path: Step[]): void => {
    if (path.length > 0 && isLoopSpec(node)) return;
    if (isDuration(node)) return note(path, 'duration', node);
    const kind = kindOf(node);
    if (kind === 'number' || kind === 'text' || kind === 'free') return note(path, kind, node);
    if (kind === 'list') {
      note(path, kind, node);
      if (node.items) walk(node.items, [...path, { item: true }]);
    }
    if (kind === 'choice') {
      const choices = choicesOf(node);
      const isOneOrMany = choices.length > 1 && choices.some((choice) => kindOf(choice) === 'list');
      const labels = choices.map(labelOf);
      for (const [index, choice] of choices.entries()) {
        const again = labels.indexOf(labels[index]!) === index ? '' : ` ${index}`;
        const label = `${labels[index]}${again}`;
        const inner: Step[] = choices.length === 1 ? path : [...path, { choice: index, label }];
        // What may stand alone or in a list is looked at where it stands alone.
        if (isOneOrMany && kindOf(choice) === 'list') note(inner, 'list', choice);
        else walk(choice, inner);
      }
    }
    for (const [key, property] of Object.entries(kind === 'form' ? node.properties! : {})) {
      walk(property, [...path, { key }]);
    }
  };
  walk(root, []);
  return found;
}
