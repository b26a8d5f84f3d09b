export interface Sizes {
  formatter: Record<string, unknown>;
  /** Lines and bytes of each part of the project. */
  sizes: Record<string, [lines: number, bytes: number]>;
  words: Record<string, number>;
}

/** Ceilings of sizes, and the least of what guards them. */
export interface Ceilings extends Sizes {
  /** Mutants that the recordings catch, at least. */
  mutants: number;
  /** Percent of lines and branches of each folder of src that the tests run, at least. */
  coverage: Record<string, [lines: number, branches: number]>;
}

export const CEILINGS: string;
export function measureSize(project: string): Sizes;
export function readCeilings(project: string): Ceilings;
export function sizeProblems(measured: Sizes, ceilings: Sizes): string[];
export function lowerCeilings<Given extends Sizes>(measured: Sizes, ceilings: Given): Given;
