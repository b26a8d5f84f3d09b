import type { FileKind } from '../../../apps/yaml/forms/file-kind';
import type { PipelineSpec } from '../contract/pipeline';
import { parsePipeline } from '../parse/pipeline';
import { pipelineFileSchema } from './pipeline-file-schema';
import { pipelineForm, pipelineMessage } from './pipeline-form';
import { NODE_LIST_SHAPE, PIPELINE_SHAPE } from './pipeline-shapes';

/** A file that holds a pipeline, or a list of its nodes. */
export const pipelineFile: FileKind<PipelineSpec> = {
  key: 'nodes',
  holds: 'a pipeline (`nodes:`)',
  isIn: ({ isList, keys }) => isList || keys.includes('nodes'),
  shape: ({ isList }) => (isList ? NODE_LIST_SHAPE : PIPELINE_SHAPE),
  form: pipelineForm,
  parse(value) {
    const parsed = parsePipeline(value);
    return 'problems' in parsed ? parsed : { spec: parsed.pipeline };
  },
  say: pipelineMessage,
  jsonSchema: (schemas) => ({ 'pipeline-file.json': pipelineFileSchema(schemas) }),
};
