import type { Form } from '../../../apps/yaml/forms/flat-request-schemas';
import { inFile } from '../../../apps/yaml/forms/spec-file-schema';
import type { JsonSchema } from '../../../lib/contract/convert';

export function agentsFileSchema(schemas: Record<string, JsonSchema>): JsonSchema {
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
