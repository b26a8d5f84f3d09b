import type { Json } from '../../src/lib/json/json';
import { type SizedField, sizedFields } from './fields';
import { Instances } from './instances';
import type { LimitCase } from './limit-case';
import { Random } from '../torture/random';
import { merged, schemaOf, type Shape, SHAPES } from './shapes';
import type { Surroundings } from './vocabulary';

/** 10,000 iterations are 200 runs one after the other: 211 s on two processors that do nothing else. */
export const SECONDS_OF_MOST_ITERATIONS = 1_800;

/** Every field that has a size or a count, by its shape. */
export function allFields(): { shape: Shape; fields: SizedField[] }[] {
  return SHAPES.map((shape) => ({ shape, fields: sizedFields(schemaOf(shape)) }));
}

/** One run for each field of each shape, with that field at its maximum. */
export function fieldCases(surroundings: Surroundings): LimitCase[] {
  const instances = new Instances(surroundings);
  return allFields().flatMap(({ shape, fields }) => {
    const schema = schemaOf(shape);
    const smallest = merged(instances.smallest(schema), shape.around);
    return fields.map((field): LimitCase => {
      const argument: Json = merged(smallest, instances.atMaximum(schema, field));
      return {
        name: `field ${shape.workflow} ${field.name}`,
        workflow: shape.workflow,
        argument,
        ...(field.maximum === undefined ? { unbounded: true } : {}),
        ...(field.name === 'maxIterations' ? { seconds: SECONDS_OF_MOST_ITERATIONS } : {}),
        ...(shape.workflow === 'agentReflection' ? { meanwhile: toldOfACrisis } : {}),
      };
    });
  });
}

/** Pairs of fields of one shape, each at its maximum, chosen by a seed: all of them would be some 50,000. */
export function fieldPairs(count: number, seed: number, surroundings: Surroundings): LimitCase[] {
  const random = new Random(seed);
  const alone = fieldCases(surroundings);
  const pairs = Array.from({ length: count }, (): LimitCase | undefined => {
    const first = random.pick(alone);
    const second = random.pick(
      alone.filter(({ workflow, name }) => workflow === first.workflow && name !== first.name),
    );
    const argument = merged(first.argument, second.argument);
    // Each takes nearly all that a spec may have.
    if (JSON.stringify(argument).length > 2_000_000) return undefined;
    const named = second.name.split(' ').slice(2).join(' ');
    return { ...first, name: `pair ${first.name.replace(/^field /, '')} + ${named}`, argument };
  });
  return pairs.filter((pair) => pair !== undefined);
}

/** A population does nothing until something happens. */
export const toldOfACrisis: LimitCase['meanwhile'] = async ({ handle }) => {
  await handle.signal('trigger', { kind: 'crisis', year: 1, context: { description: 'A flood.' } });
  await handle.signal('finish');
};
