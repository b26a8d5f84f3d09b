import * as fc from 'fast-check';
import { isJsonObject, type Json, type JsonObject } from '../../src/lib/json/json';
import { Arbitraries } from './arbitraries';
import { toldOfACrisis } from './field-cases';
import type { LimitCase } from './limit-case';
import { schemaOf, SHAPES } from './shapes';
import type { Surroundings } from './vocabulary';

/** Of so many generated specs, how many are of each shape; the rest are loops. */
const SHARE = 10;

/** Specs at random, from the JSON Schemas: the same for the same seed. Those that the worker refuses are runs, too. */
export function generatedCases(count: number, seed: number, surroundings: Surroundings): LimitCase[] {
  const each = Math.ceil(count / SHARE);
  const ofOthers = each * (SHAPES.length - 1);
  return SHAPES.flatMap((shape) => {
    const wanted = shape.workflow === 'reflectionLoop' ? Math.max(0, count - ofOthers) : each;
    const arbitrary = new Arbitraries(surroundings).of(schemaOf(shape)) as fc.Arbitrary<JsonObject>;
    return fc.sample(arbitrary, { seed, numRuns: wanted }).map((value, index): LimitCase => ({
      name: `generated ${shape.workflow} ${index + 1} of seed ${seed}`,
      workflow: shape.workflow,
      argument: { ...shape.around, ...value },
      origin: { arbitrary: arbitrary.map((spec) => ({ ...shape.around, ...spec })), seed, index },
      seconds: 30,
      ...(mayWaitForPerson(value) ? { waitsForPerson: true } : {}),
      ...(shape.workflow === 'agentReflection' ? { meanwhile: toldOfACrisis } : {}),
    }));
  });
}

/** Returns whether a loop in it, at whatever depth, has a review. */
function mayWaitForPerson(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (!Array.isArray(value) && isJsonObject(value['review']) && (value['review']['when'] ?? 'never') !== 'never')
    return true;
  return Object.values(value).some(mayWaitForPerson);
}
