import type { z } from 'zod';
import type { JsonSchema } from './convert';

/** Title, description and zod schema; and a JSON Schema if that says more than the zod schema does. */
type PublishedShape = readonly [title: string, description: string, schema?: z.ZodType, json?: () => JsonSchema];

/** Shapes that go over the wire, by the names of their JSON Schemas. */
export type PublishedShapes = Record<string, PublishedShape>;
