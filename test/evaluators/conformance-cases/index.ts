import type { Evaluator, EvaluatorType } from '../../../src/loop/contract/evaluators';
import type { ConformanceCase } from './case';
import { callsCase } from './calls';
import { comparisonCase, exactCase, similarityCase } from './comparison';
import { criteriaCase } from './criteria';
import { customCase } from './custom';
import { externalCase } from './external';
import { functionCase } from './function';
import { llmCase } from './llm';
import { regexCase } from './regex';
import { schemaCase } from './schema';

/** Kinds that an activity carries out. The run itself calls workflows: see `test/workflows/called-workflows.test.ts`. */
type CarriedOut = Exclude<EvaluatorType, 'workflow'>;

/** One line a kind, in a file of its own. A kind of the registry without a case does not compile. */
export const CONFORMANCE_CASES: { [Type in CarriedOut]: ConformanceCase<Extract<Evaluator, { type: Type }>> } = {
  schema: schemaCase,
  llm: llmCase,
  regex: regexCase,
  function: functionCase,
  external: externalCase,
  criteria: criteriaCase,
  comparison: comparisonCase,
  custom: customCase,
  calls: callsCase,
};

/** Kinds that work in more than one way go through the suite in each of them. */
export const MORE_CASES: Record<string, ConformanceCase> = {
  'comparison, exact': exactCase,
  'comparison, similarity': similarityCase,
};
