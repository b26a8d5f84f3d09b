/**
 * True for two types that are identical, optional fields included; false for any others. Schemas are held to the interfaces
 * they stand for with it: being assignable both ways would not notice a missing optional field.
 */
// oxlint-disable typescript/no-unnecessary-type-parameters -- Types can be compared for identity in no other way.
export type SameType<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
// oxlint-enable typescript/no-unnecessary-type-parameters

/** Does not compile unless it is given `true`. */
export type Assert<Fact extends true> = Fact;
