import { isMap, isScalar } from 'yaml';
import type { ReflectionSpec } from '../domain/spec';
import type { SpecProblem } from '../domain/spec-problem';
import { parseSpec } from '../schemas';
import { camelCase, LATER_KEYS } from './key-names';
import { placeQualityCriteria } from './quality-criteria';
import type { ReadDocument } from './read-document';
import type { Origin } from './read-nodes';
import type { FileProblem } from './spec-file-error';

/** A spec that was read from a file. */
export interface SpecFile {
  kind: 'spec';
  /** The name it goes by in messages. */
  file: string;
  spec: ReflectionSpec;
  /** Finds in the file what a mistake is about, such as one that only a worker could find. */
  locate(problem: SpecProblem): FileProblem[];
}

/** Takes a document for a spec. */
export function specOf({ value: written, contents, originsOf, problemAt, fail }: ReadDocument, file: string): SpecFile {
  const { value, inFile } = placeQualityCriteria(written);
  const locate = ({ path, message }: SpecProblem): FileProblem[] =>
    originsOf(inFile(path)).map((origin) => problemAt(origin, message));
  const later = laterKeys(contents);
  const toldLater = (keys: typeof later) => keys.map((key) => problemAt(key, key.message));
  const parsed = parseSpec(value);
  if ('spec' in parsed && later.length === 0) return { kind: 'spec', file, spec: parsed.spec, locate };
  const problems = 'problems' in parsed ? parsed.problems : [];
  const unexplained = problems.filter(({ path }) => !later.some(({ key }) => path === `/${key}`));
  return fail('InvalidSpec', [...toldLater(later), ...unexplained.flatMap(locate)]);
}

/** The keys at the top that mean something that is not built yet. */
function laterKeys(contents: unknown): (Origin & { key: string; message: string })[] {
  if (!isMap(contents)) return [];
  return contents.items.flatMap(({ key: node }) => {
    const path = isScalar(node) ? String(node.value) : '';
    const key = camelCase(path);
    if (!isScalar(node) || !Object.hasOwn(LATER_KEYS, key)) return [];
    return [{ key, path, offset: node.range?.[0] ?? 0, message: LATER_KEYS[key]! }];
  });
}
