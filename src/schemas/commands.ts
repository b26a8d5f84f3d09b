import { z } from 'zod';
import {
  type CommandName,
  type CommandPayloads,
  DECISIONS,
  GUIDE_CHARACTERS,
  REASON_CHARACTERS,
  WHO_CHARACTERS,
} from '../domain/state/command-payloads';
import type { Assert, SameType } from '../domain/base/same-type';
import { addJsonSchemaHints } from '../contract/json-schema-hints';
import { json } from '../contract/values';

const shortText = z.string().max(WHO_CHARACTERS).optional();
const reason = z.string().max(REASON_CHARACTERS).optional();
const iteration = z.int().optional();
const steering = { id: shortText, iteration, by: shortText };

const extend = z.strictObject({
  ...steering,
  iterations: z.int().min(1).max(10_000).optional(),
  tokens: z.int().min(1).max(1_000_000_000).optional(),
  usd: z.number().positive().max(1_000_000).optional(),
});

/**
 * Payloads of commands, as the JSON Schemas show them. A running loop has no zod and checks with `payloadProblem`, which also
 * takes null for a field that a form in the Web UI left empty.
 */
export const COMMAND_SCHEMAS = {
  accept: z.strictObject({ ...steering, reason }),
  abort: z.strictObject({ id: shortText, by: shortText, reason }),
  guide: z.strictObject({ ...steering, text: z.string().max(GUIDE_CHARACTERS).regex(/\S/) }),
  override: z.strictObject({ ...steering, output: json }),
  extend,
  decide: z.strictObject({ ...steering, iteration: z.int(), decision: z.enum(DECISIONS) }),
  reflect: z.strictObject(steering),
};

addJsonSchemaHints(extend, {
  also: { anyOf: ['iterations', 'tokens', 'usd'].map((limit) => ({ required: [limit] })) },
});

type Payloads = { [Name in keyof typeof COMMAND_SCHEMAS]: z.output<(typeof COMMAND_SCHEMAS)[Name]> };

/** Does not compile when a command has no schema, or when a schema and its interface differ, in either direction. */
export type CommandSchemasFit = [
  Assert<SameType<keyof Payloads, CommandName>>,
  { [Name in CommandName]: Assert<SameType<Payloads[Name], CommandPayloads[Name]>> },
];
