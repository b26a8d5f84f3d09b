import type { z } from 'zod';

// As zod infers them, but editors show the comments of a schema's fields at the fields of its type: a mapped type keeps them as
// long as it does not rename keys.

type Side = 'input' | 'output';

type OptionalKeys<Shape, At extends Side> = {
  [Key in keyof Shape]: Shape[Key] extends {
    _zod: At extends 'input' ? { optin: 'optional' | 'defaulted' } : { optout: 'optional' };
  }
    ? Key
    : never;
}[keyof Shape];

type Fields<Shape, Keys extends keyof Shape, At extends Side> = { -readonly [Key in Keys]: Inferred<Shape[Key], At> };

type Flat<T> = { [Key in keyof T]: T[Key] };

type ObjectOf<Shape, At extends Side> = Flat<
  Fields<Shape, Exclude<keyof Shape, OptionalKeys<Shape, At>>, At> & Partial<Fields<Shape, OptionalKeys<Shape, At>, At>>
>;

type Inferred<Schema, At extends Side> =
  Schema extends z.ZodObject<infer Shape, infer Config>
    ? // One that takes other keys, too, has more to it than its shape.
      string extends keyof Config['out']
      ? Leaf<Schema, At>
      : ObjectOf<Shape, At>
    : Schema extends z.ZodOptional<infer Inner>
      ? Inferred<Inner, At> | undefined
      : Schema extends z.ZodNullable<infer Inner>
        ? Inferred<Inner, At> | null
        : Schema extends z.ZodArray<infer Item>
          ? Inferred<Item, At>[]
          : Schema extends z.ZodUnion<infer Options>
            ? Inferred<Options[number], At>
            : Schema extends z.ZodDefault<infer Inner> | z.ZodPrefault<infer Inner>
              ? Inferred<Inner, At> | (At extends 'input' ? undefined : never)
              : Leaf<Schema, At>;

type Leaf<Schema, At extends Side> = At extends 'input' ? z.input<Schema> : z.output<Schema>;

/** The type of the values that a schema returns. */
export type Infer<Schema> = Inferred<Schema, 'output'>;

/** The type of the values that a schema takes, in which fields with defaults may be missing. */
export type InferInput<Schema> = Inferred<Schema, 'input'>;
