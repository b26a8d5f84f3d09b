import type { ReflectionSpec } from '../contract/spec';

/** The key under which a typed spec, and the run of one, has the schema of its output. JSON has no symbols: it is never sent. */
export const OUTPUT: unique symbol = Symbol.for('durable-reflection.output');

/** A zod schema, as far as types show. `Wire`: the JSON that it takes. `Parsed`: the value that it makes of that. */
interface OutputSchema<Wire, Parsed> {
  readonly _zod: { readonly input: Wire; readonly output: Parsed };
}

/** Something whose output has a type. */
export interface Typed<Wire, Parsed = Wire> {
  readonly [OUTPUT]: OutputSchema<Wire, Parsed>;
}

/**
 * A spec whose output has a type; `defineSpec` makes one. `Wire`: the output as JSON, which workflows see. `Parsed`: what the schema
 * makes of that, which the client returns.
 */
export type TypedSpec<Wire, Parsed = Wire> = ReflectionSpec & Typed<Wire, Parsed>;
