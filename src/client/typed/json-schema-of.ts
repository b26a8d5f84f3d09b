import { z } from 'zod';
import { foreignSchemaProblem, isZod } from '../../lib/contract/foreign-schema';
import { jsonPointer } from '../../lib/json/json-pointer';
import type { JsonObject } from '../../lib/json/json';
import type { SpecProblem } from '../../lib/contract/spec-problem';
import { InvalidSpecError } from '../../loop/errors/errors';

/** Returns whether a schema has a check that only its own code can make. */
function isRefined({ _zod: { def } }: z.core.$ZodType): boolean {
  return def.type !== 'custom' && (def.checks ?? []).some((check) => check._zod.def.check === 'custom');
}

const REFINED =
  'a refinement cannot be represented in JSON Schema, so no worker could check it; give a schema with it as `output` to `run` or `result`';

/**
 * Returns the JSON Schema of the input of a zod schema, since the input goes over the wire.
 *
 * @param at the path of the schema in the value that contains it
 * @throws InvalidSpecError with the path of each part that JSON Schema cannot express
 */
export function jsonSchemaOf(schema: z.ZodType, at: readonly string[]): JsonObject {
  if (!isZod(schema)) {
    const message = foreignSchemaProblem(schema) ?? 'must be a zod schema';
    throw new InvalidSpecError([{ path: jsonPointer(at), message }]);
  }
  const problems: SpecProblem[] = [];
  const note = (path: (string | number)[], message: string): void => {
    problems.push({ path: jsonPointer([...at, ...path.map(String)]), message });
  };
  const { $schema: _dialect, ...converted } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: ({ path, message }) => {
      note(path, `${message[0]!.toLowerCase()}${message.slice(1)}, which is what goes to the worker`);
      return 'any';
    },
    override: ({ zodSchema, path }) => {
      if (isRefined(zodSchema)) note(path, REFINED);
    },
  });
  if (problems.length > 0) throw new InvalidSpecError(problems);
  // What zod makes is JSON; it has properties of functions beside it that no enumeration sees.
  return converted as JsonObject;
}
