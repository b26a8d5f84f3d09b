import type { Evaluator } from '../../../src/loop/contract/evaluators';
import type { Json } from '../../../src/lib/json/json';
import type { EvaluationContext, EvaluationInput } from '../../../src/evaluators/types';

/** What a kind of evaluator is put through by the conformance suite. */
export interface ConformanceCase<Config extends Evaluator = Evaluator> {
  config: Config;
  /** Cheap and deterministic. */
  local: boolean;
  /** An output that the evaluator accepts, and one that it rejects. */
  good: Json;
  bad: Json;
  /** What a judge says of each, for kinds that ask a model; others say nothing. */
  says?: { good: object[]; bad: object[] };
  /** A configuration with a mistake. */
  broken: Config;
  /**
   * How it comes that it cannot judge: another configuration, output, or what the model's endpoint does. Absent: nothing
   * can keep it from judging.
   */
  outage?: { config?: Config; output?: Json; says?: object[] };
  /** What the evaluator is given beside the output. */
  input?: Partial<EvaluationInput>;
  /** What the evaluator needs of its worker, beside models. */
  context?: Partial<EvaluationContext>;
}
