import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { jsonSchemas } from '../../src/schemas/json-schemas';
import type { ResultCheck } from './judge';
import type { WorkflowType } from './limit-case';

const FILES: Partial<Record<WorkflowType, string>> = {
  reflectionLoop: 'result.json',
  reflectionEvaluate: 'evaluation.json',
  reflectionCorrect: 'correction-result.json',
  reflectionPipeline: 'pipeline-result.json',
  planReflection: 'plan-result.json',
  agentReflection: 'agent-report.json',
};

const ajv = addFormats(new Ajv2020({ strict: false }));
const schemas = jsonSchemas();
const compiled = new Map<string, ResultCheck>();

function checkBy(file: string): ResultCheck {
  const validate = ajv.compile(schemas[file]!);
  return (result) => {
    if (validate(result)) return undefined;
    return (validate.errors ?? [])
      .slice(0, 3)
      .map(({ instancePath, message }) => `${instancePath} ${message}`)
      .join('; ');
  };
}

/** Whether a result is as the published JSON Schema of its workflow's result says. */
export function resultCheck(workflow: WorkflowType): ResultCheck {
  const file = FILES[workflow];
  if (file === undefined) return () => undefined;
  const check = compiled.get(file) ?? checkBy(file);
  compiled.set(file, check);
  return check;
}
