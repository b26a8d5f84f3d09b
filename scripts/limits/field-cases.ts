import type { Json } from '../../src/domain/json';
import { type SizedField, sizedFields } from './fields';
import { Instances } from './instances';
import type { LimitCase } from './limit-case';
import { merged, schemaOf, type Shape, SHAPES } from './shapes';
import type { Surroundings } from './vocabulary';

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
        ...(shape.workflow === 'agentReflection' ? { meanwhile: toldOfACrisis } : {}),
      };
    });
  });
}

/** A population does nothing until something happens. */
const toldOfACrisis: LimitCase['meanwhile'] = async ({ handle }) => {
  await handle.signal('trigger', { kind: 'crisis', year: 1, context: { description: 'A flood.' } });
  await handle.signal('finish');
};
