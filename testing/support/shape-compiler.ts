import Ajv2020, { type Options } from 'ajv/dist/2020';

/**
 * Returns a strict compiler of JSON Schemas for shapes that are compiled once: to optimise their code takes longer than to run
 * it.
 */
export function shapeCompiler(options: Options): Ajv2020 {
  return new Ajv2020({ strict: true, strictRequired: false, code: { optimize: false }, ...options });
}
