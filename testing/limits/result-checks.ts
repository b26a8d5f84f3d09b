import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { jsonSchemas } from '../../src/kinds/list/schemas';
import type { ResultCheck } from './judge';
import type { LimitCase, WorkflowType } from './limit-case';
import { wrongResult } from './right-results';

const FILES: Partial<Record<WorkflowType, string>> = {
  reflectionLoop: 'result.json',
  reflectionEvaluate: 'evaluation.json',
  reflectionCorrect: 'correction-result.json',
  reflectionPipeline: 'pipeline-result.json',
  planReflection: 'plan-result.json',
  agentReflection: 'agent-report.json',
};

/** Mistakes of a result that are told. */
const MOST_TOLD = 3;

const ajv = addFormats(new Ajv2020({ strict: false }));
const schemas = jsonSchemas();
const compiled = new Map<string, ResultCheck>();

function checkBy(file: string): ResultCheck {
  const validate = ajv.compile(schemas[file]!);
  return (result) => {
    if (validate(result)) return undefined;
    const problems = (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
    return `it is not as its schema says: ${problems.slice(0, MOST_TOLD).join('; ')}`;
  };
}

function schemaCheck(workflow: WorkflowType): ResultCheck {
  const file = FILES[workflow];
  if (file === undefined) return () => undefined;
  const check = compiled.get(file) ?? checkBy(file);
  compiled.set(file, check);
  return check;
}

/**
 * Returns whether a result is as the published JSON Schema of its workflow's result says, and as the script of the case makes
 * it.
 */
export function resultCheck(limitCase: LimitCase): ResultCheck {
  const isFormed = schemaCheck(limitCase.workflow);
  return (result) => {
    const misformed = isFormed(result);
    if (misformed !== undefined) return misformed;
    const wrong = wrongResult(limitCase, result);
    return wrong.length === 0 ? undefined : wrong.slice(0, MOST_TOLD).join('; ');
  };
}
