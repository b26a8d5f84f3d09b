import type { FileKind } from '../../../spec-files/file-kind';
import { asWritten } from '../../../spec-files/placed';
import { fieldsOf, shapeOf } from '../../../spec-files/shapes';
import type { Shape } from '../../../lib/yaml/key-names';
import { agentReflectionSpec, type AgentReflectionSpec } from '../contract/agents';
import { parseAgentReflection } from '../parse/agents';
import type { Form } from '../../../spec-files/flat-request-schemas';
import { inFile } from '../../../spec-files/spec-file-schema';
import type { JsonSchema } from '../../../lib/contract/convert';

function agentsFileSchema(schemas: Record<string, JsonSchema>): JsonSchema {
  const whole = inFile(schemas['agent-spec.json'] as Form);
  const { config } = whole.properties;
  return {
    ...whole,
    title: 'Population file',
    description: 'A YAML file with agents that reflect. Keys may be written in camelCase or snake_case.',
    properties: { ...whole.properties, globalConfig: config!, global_config: config! },
    not: {
      anyOf: [
        { required: ['config', 'globalConfig'] },
        { required: ['config', 'global_config'] },
        { required: ['globalConfig', 'global_config'] },
      ],
    },
  };
}

const AGENTS_SHAPE: Shape = {
  kind: 'object',
  fields: fieldsOf(shapeOf(agentReflectionSpec)),
  flat: { globalConfig: ['config'] },
};

export const agentsFile: FileKind<AgentReflectionSpec> = {
  key: 'agents',
  holds: 'a population (`agents:`)',
  isIn: ({ keys }) => keys.includes('agents'),
  shape: () => AGENTS_SHAPE,
  form: asWritten,
  parse: parseAgentReflection,
  jsonSchema: (schemas) => ({ 'agents-file.json': agentsFileSchema(schemas) }),
};
