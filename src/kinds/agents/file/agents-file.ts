import type { FileKind } from '../../../apps/yaml/forms/file-kind';
import { asWritten } from '../../../apps/yaml/forms/placed';
import { fieldsOf, shapeOf } from '../../../apps/yaml/forms/shapes';
import type { Shape } from '../../../lib/yaml/key-names';
import { agentReflectionSpec, type AgentReflectionSpec } from '../contract/agents';
import { parseAgentReflection } from '../parse/agents';
import { agentsFileSchema } from './agents-file-schema';

/** `global_config` is what `config` is on the wire. */
const AGENTS_SHAPE: Shape = {
  kind: 'object',
  fields: fieldsOf(shapeOf(agentReflectionSpec)),
  flat: { globalConfig: ['config'] },
};

/** A file that holds a population. */
export const agentsFile: FileKind<AgentReflectionSpec> = {
  key: 'agents',
  holds: 'a population (`agents:`)',
  isIn: ({ keys }) => keys.includes('agents'),
  shape: () => AGENTS_SHAPE,
  form: asWritten,
  parse: parseAgentReflection,
  jsonSchema: (schemas) => ({ 'agents-file.json': agentsFileSchema(schemas) }),
};
