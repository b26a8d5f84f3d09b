import type { Json } from '../../../lib/json/json';

/** Something that means something else here than a reader may expect. */
interface Remark {
  /** Matches the JSON Pointers of a spec that the remark is about; it is made at the first of them. */
  about: RegExp;
  /** Returns whether the remark is about this value. Default: about any value. */
  isFor?(value: Json): boolean;
  says: string;
}

const REMARKS: readonly Remark[] = [
  {
    about: /^\/nodes\/\d+\/with\/convergence$/,
    isFor: (value) => value === false,
    says: 'iterations are counted up to max_iterations; with true, a score that no longer rises ends the loop, too',
  },
  {
    about: /\/run$/,
    isFor: (value) => typeof value === 'string',
    says: 'code runs in a process of its own, without files and network, and sees copies: what it changes in `state` is gone',
  },
  {
    about: /\/model$|\/defaultModel$/,
    isFor: (value) => typeof value === 'string',
    says: 'which endpoint serves a model of this name is configured on the worker',
  },
  {
    about: /\/evaluator(?:\/\d+)?\/type$/,
    isFor: (value) => value === 'llm',
    says: 'a reply of the judge that is no clear verdict is asked for again, and never taken for a score of 0',
  },
  {
    about: /\/corrector\/mode$/,
    isFor: (value) => value === 'hint',
    says: 'what the corrector returns is a hint, and the generator runs again; with replace, it is the next version',
  },
];

/** Returns the remarks on a spec, by JSON Pointer: each remark once, where it first applies. */
export function remarksOn(
  values: Iterable<readonly [pointer: string, value: Json]>,
): [pointer: string, text: string][] {
  const left = new Set(REMARKS);
  const found: [string, string][] = [];
  for (const [pointer, value] of values) {
    for (const remark of left) {
      if (!remark.about.test(pointer) || !(remark.isFor?.(value) ?? true)) continue;
      left.delete(remark);
      found.push([pointer, remark.says]);
    }
  }
  return found;
}
