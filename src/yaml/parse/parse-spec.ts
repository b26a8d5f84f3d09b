import type { ReflectionSpec } from '../../domain/spec/spec';
import type { SpecProblem } from '../../domain/base/spec-problem';
import { parseSpec } from '../../schemas';
import { placeQualityCriteria } from '../forms/quality-criteria';
import { placeTriggers, TRIGGERS_MESSAGE } from '../forms/trigger-names';
import type { ReadDocument } from '../read-document';
import type { FileProblem } from '../spec-file-error';

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
export function specOf({ value: written, originsOf, problemAt, fail }: ReadDocument, file: string): SpecFile {
  const { value, inFile } = placeQualityCriteria(placeTriggers(written));
  const locate = ({ path, message }: SpecProblem): FileProblem[] =>
    originsOf(inFile(path)).map((origin) =>
      problemAt(origin, path === '/reflectionTriggers' ? TRIGGERS_MESSAGE : message),
    );
  const parsed = parseSpec(value);
  if ('spec' in parsed) return { kind: 'spec', file, spec: parsed.spec, locate };
  return fail('InvalidSpec', parsed.problems.flatMap(locate));
}
