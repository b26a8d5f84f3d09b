import type { JsonSchema } from '../lib/contract/convert';
import type { SpecProblem } from '../lib/contract/spec-problem';
import type { Json } from '../lib/json/json';
import type { Shape } from '../lib/yaml/key-names';
import type { TopLevel } from '../lib/yaml/read-document';
import type { Placed } from './placed';

export interface ReadableFile<Content extends object> {
  /** The contents of such a file in words. */
  holds: string;
  isIn(top: TopLevel): boolean;
  shape(top: TopLevel): Shape;
  form(written: Json): Placed;
  parse(value: Json): Content | { problems: SpecProblem[] };
  say?(path: string, message: string): string;
}

export interface FileKind<Spec> extends ReadableFile<{ spec: Spec }> {
  /** The key that makes a file one of this kind: without it the file is taken for a spec. */
  key: string;
  /** The JSON Schema of such a file, by its own file name. */
  jsonSchema(schemas: Record<string, JsonSchema>): Record<string, JsonSchema>;
}
