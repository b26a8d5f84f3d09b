import * as fc from 'fast-check';
import type { JsonObject } from '../../src/domain/json';
import { Arbitraries } from './arbitraries';
import { toldOfACrisis } from './field-cases';
import type { LimitCase } from './limit-case';
import { schemaOf, type Shape, SHAPES } from './shapes';
import type { Surroundings } from './vocabulary';

/** Of so many generated specs, how many are of each shape; the rest are loops. */
const SHARE = 10;

/** A shape's values at random. Those that the worker refuses are runs, too, but few may be. */
function generated(shape: Shape, count: number, seed: number, surroundings: Surroundings): JsonObject[] {
  const made = new Arbitraries(surroundings).of(schemaOf(shape)) as fc.Arbitrary<JsonObject>;
  return fc.sample(made, { seed, numRuns: count });
}

/** Specs at random, from the JSON Schemas: the same for the same seed. */
export function generatedCases(count: number, seed: number, surroundings: Surroundings): LimitCase[] {
  const each = Math.ceil(count / SHARE);
  const ofOthers = each * (SHAPES.length - 1);
  return SHAPES.flatMap((shape) => {
    const wanted = shape.workflow === 'reflectionLoop' ? Math.max(0, count - ofOthers) : each;
    return generated(shape, wanted, seed, surroundings).map((value, index): LimitCase => ({
      name: `generated ${shape.workflow} ${index + 1} of seed ${seed}`,
      workflow: shape.workflow,
      argument: { ...shape.around, ...value },
      seconds: 30,
      ...(shape.workflow === 'agentReflection' ? { meanwhile: toldOfACrisis } : {}),
    }));
  });
}
