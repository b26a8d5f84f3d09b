import type { ReflectionSpec } from '../../domain/spec/spec';
import type { SpecProblem } from '../../domain/base/spec-problem';
import { parseSpec } from '../../schemas';
import { placeQualityCriteria } from '../forms/quality-criteria';
import { placeTriggers, TRIGGERS_MESSAGE } from '../forms/trigger-names';
import type { ReadDocument } from '../read-document';
import type { FileProblem, RunFile } from '../spec-file-error';

/** A spec that was read from a file. */
export type SpecFile = RunFile<'loop', ReflectionSpec>;

/** Takes a document for a spec. */
export function specOf({ value: written, originsOf, problemAt, fail }: ReadDocument, file: string): SpecFile {
  const { value, inFile } = placeQualityCriteria(placeTriggers(written));
  const locate = ({ path, message }: SpecProblem): FileProblem[] =>
    originsOf(inFile(path)).map((origin) =>
      problemAt(origin, path === '/reflectionTriggers' ? TRIGGERS_MESSAGE : message),
    );
  const parsed = parseSpec(value);
  if ('spec' in parsed) return { kind: 'loop', file, spec: parsed.spec, locate };
  return fail('InvalidSpec', parsed.problems.flatMap(locate));
}
