import type { z } from 'zod';
import type { JsonSchema } from './convert';

/**
 * The title and the description of a shape, and its zod schema; its JSON Schema if that says more than the zod schema does.
 */
type PublishedShape = readonly [title: string, description: string, schema?: z.ZodType, json?: () => JsonSchema];

/** Shapes that go over the wire, by the names of their JSON Schemas. */
export type PublishedShapes = Record<string, PublishedShape>;
