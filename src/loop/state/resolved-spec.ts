import { LOOP_DEFAULTS } from '../base/defaults';
import { omitUndefined } from '../../lib/base/defined';
import type { JsonObject } from '../../lib/json/json';
import { type PartTree, partTree } from '../spec/evaluator-parts';
import { seeingCorrector, seeingEvaluator } from '../spec/attachments';
import { allEvaluators, judgeModel } from '../spec/judges';
import { modelOfCalls } from '../spec/model-of-calls';
import { schemaOfOutputs } from '../spec/reply-schema';
import { type MemorySettings, memorySettings } from '../spec/memory-spec';
import type { Evaluator } from '../contract/evaluators';
import type { ReflectionSpec } from '../contract/spec';
import type { EvaluatorPlan, Preparation } from './loop-settings';

/** An evaluator with what `prepare` planned for it. */
export interface ResolvedEvaluator extends EvaluatorPlan {
  evaluator: Evaluator;
  /** The division of the evaluator into parts, each asked as often as the spec says. */
  tree: PartTree;
}

/** The fields of a spec that are kept as its author wrote them. */
type AsWritten = 'name' | 'task' | 'material' | 'generator' | 'corrector' | 'model' | 'reflectionPrompt' | 'hooks';

/** A spec with every default filled in, and with what the worker that prepared it knows. All that a loop in progress asks of either. */
export interface ResolvedSpec extends Pick<ReflectionSpec, AsWritten>, Pick<Preparation, 'settings' | 'actionNeeds'> {
  state: JsonObject;
  /** The settings of the memory; left out if the loop neither recalls nor stores anything. */
  memory?: MemorySettings;
  /** Model of judges that name none. By default that of the worker. */
  judgeModel?: string;
  structuredReflection: boolean;
  /** Judges of a revised version are not shown what it was made from. */
  hidesInputs?: true;
  /** The text of models is shown while they write it. */
  stream?: true;
  /** A schema to send with calls for a whole output; left out if no evaluator has one that can be sent. */
  outputSchema?: JsonObject;
  /** In the order of the spec. */
  evaluators: ResolvedEvaluator[];
  /** The judge that confirms doubtful passes, if there is one. */
  second?: ResolvedEvaluator;
  /** The evaluators, then the second judge. */
  allEvaluators: ResolvedEvaluator[];
}

/**
 * Resolves a spec. It is done anew by each run of a chain, from what travels: the spec as it was written, and what `prepare` made
 * of it once.
 */
export function resolveSpec(spec: ReflectionSpec, preparation: Preparation): ResolvedSpec {
  const { name, task, material, generator, reflectionPrompt, hooks } = spec;
  const plans = preparation.second ? [...preparation.evaluators, preparation.second] : preparation.evaluators;
  const judges = allEvaluators(spec);
  const resolved = plans.map((plan, index): ResolvedEvaluator => {
    const evaluator = seeingEvaluator(judges[index]!, spec);
    return { ...plan, evaluator, tree: partTree(evaluator, spec.judge?.votes) };
  });
  const count = preparation.evaluators.length;
  return omitUndefined({
    name,
    task,
    material,
    generator,
    corrector: seeingCorrector(spec),
    model: modelOfCalls(spec),
    reflectionPrompt,
    hooks,
    settings: preparation.settings,
    actionNeeds: preparation.actionNeeds,
    state: spec.state ?? {},
    memory: spec.memory && memorySettings(spec.memory),
    judgeModel: judgeModel(spec),
    structuredReflection: spec.structuredReflection ?? LOOP_DEFAULTS.structuredReflection,
    hidesInputs: spec.judge?.showInputs === false ? true : undefined,
    stream: spec.stream ? true : undefined,
    outputSchema: schemaOfOutputs(spec),
    evaluators: resolved.slice(0, count),
    second: resolved[count],
    allEvaluators: resolved,
  });
}
