import type { PipelineSpec } from '../../domain/pipeline/pipeline';
import type { SpecProblem } from '../../domain/base/spec-problem';
import { parsePipeline } from '../../schemas';
import { pipelineForm, unsupportedMessage } from '../forms/pipeline-form';
import type { ReadDocument } from '../read-document';
import type { FileProblem, RunFile } from '../spec-file-error';

/** A pipeline that was read from a file. */
export type PipelineFile = RunFile<'pipeline', PipelineSpec>;

/** Takes a document for a pipeline; a list is one, too: its nodes. */
export function pipelineOf({ value, originsOf, problemAt, fail }: ReadDocument, file: string): PipelineFile {
  const form = pipelineForm(value);
  const locate = ({ path, message }: SpecProblem): FileProblem[] => {
    return originsOf(form.writtenAt(path)).map((origin) => problemAt(origin, unsupportedMessage(path, message)));
  };
  const parsed = parsePipeline(form.value);
  if ('problems' in parsed) return fail('InvalidSpec', parsed.problems.flatMap(locate));
  return { kind: 'pipeline', file, spec: parsed.pipeline, locate };
}
