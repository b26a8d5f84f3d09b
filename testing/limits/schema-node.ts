/** A JSON Schema of the contract, as far as the harness reads it. */
export interface SchemaNode {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: SchemaNode[];
  oneOf?: SchemaNode[];
  $ref?: string;
  properties?: Record<string, SchemaNode>;
  required?: string[];
  additionalProperties?: boolean | SchemaNode;
  items?: SchemaNode;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  pattern?: string;
  not?: SchemaNode;
}

export type NodeKind = 'fixed' | 'number' | 'text' | 'list' | 'form' | 'free' | 'choice' | 'switch';

/** What a schema asks for. */
export function kindOf(node: SchemaNode): NodeKind {
  if (node.const !== undefined || node.enum) return 'fixed';
  if (node.anyOf && !node.properties) return 'choice';
  const { type } = node;
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'string') return 'text';
  if (type === 'boolean') return 'switch';
  if (type === 'array') return 'list';
  return node.properties ? 'form' : 'free';
}

/** The choices that can be made by hand: an expression is for values that come later. */
export function choicesOf(node: SchemaNode): SchemaNode[] {
  const choices = (node.anyOf ?? []).filter((choice) => choice.$ref === undefined && choice.type !== 'null');
  return choices.flatMap((choice) =>
    kindOf(choice) === 'choice' && !isDuration(choice) ? choicesOf(choice) : [choice],
  );
}

/** A time, which is a number or a text such as "2m". */
export function isDuration(node: SchemaNode): boolean {
  return (node.anyOf ?? []).some(({ pattern }) => pattern?.includes('[mM][sS]') === true);
}

/** A whole spec of a loop inside another shape: its fields are those of the loop's own shape. */
export function isLoopSpec({ properties }: SchemaNode): boolean {
  return properties !== undefined && 'generator' in properties && 'maxIterations' in properties;
}

/** The choice's discriminating constant, for names of cases. */
export function labelOf(choice: SchemaNode): string {
  const constant = Object.values(choice.properties ?? {}).find((property) => property.const !== undefined);
  if (constant) return String(constant.const);
  const keys = choice.required?.length ? choice.required : Object.keys(choice.properties ?? {});
  return choice.properties ? keys.join('+') : kindOf(choice);
}
