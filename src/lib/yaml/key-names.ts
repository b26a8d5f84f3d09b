/** The meaning of the keys of a YAML object: words of this package, which may be written in snake_case, or a user's data. */
export type Shape =
  /** Left exactly as it is. */
  { kind: 'data' } | ObjectShape;

/** Keys are converted to camelCase; `fields` has the shapes of their values, by camelCase name. Others hold plain values. */
export interface ObjectShape {
  kind: 'object';
  fields: Record<string, Shape>;
  /** Keys that stand for another key, or for a field of a nested object, by camelCase name. */
  flat?: Record<string, readonly string[]>;
  /** Returns the shape that an object really has, if one of its own texts decides that. */
  choose?(textOf: (key: string) => string | undefined): Shape;
}

export const DATA: Shape = { kind: 'data' };
export const PLAIN: ObjectShape = { kind: 'object', fields: {} };

/** Returns the shape of a field of an object of a shape; with several keys, of a field of a field. */
export function shapeAt(parent: Shape, path: readonly string[]): Shape {
  return path.reduce<Shape>((shape, key) => {
    if (shape.kind === 'data') return DATA;
    return Object.hasOwn(shape.fields, key) ? shape.fields[key]! : PLAIN;
  }, parent);
}

export function pathFor(name: string, shape: Shape): readonly string[] {
  if (shape.kind === 'data') return [name];
  const key = camelCase(name);
  return shape.flat && Object.hasOwn(shape.flat, key) ? shape.flat[key]! : [key];
}

/** Writes `max_iterations` as `maxIterations`. Keys that are not snake_case stay as they are. */
export function camelCase(key: string): string {
  if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)+$/.test(key)) return key;
  return key.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}

export function snakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
