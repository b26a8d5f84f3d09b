import { LOOP_DEFAULTS } from '../base/defaults';
import { omitUndefined } from '../../lib/base/defined';
import type { JsonObject } from '../../lib/json/json';
import { seeingCorrector, seeingEvaluator } from '../spec/attachments';
import { allEvaluators, judgeModel } from '../spec/judges';
import { modelOfCalls } from '../spec/model-of-calls';
import { schemaOfOutputs } from '../spec/reply-schema';
import { type MemorySettings, memorySettings } from '../spec/memory-spec';
import type { ReflectionSpec } from '../contract/spec';
import { type EvaluationTask, listTasks } from './evaluation-task';
import type { EvaluatorPlan, Preparation } from './loop-settings';

type AsWritten = 'name' | 'task' | 'material' | 'generator' | 'corrector' | 'model' | 'reflectionPrompt' | 'hooks';

/** A spec with every default filled in, and with what the worker that prepared it knows. All that a loop in progress asks of either. */
export interface ResolvedSpec extends Pick<ReflectionSpec, AsWritten>, Pick<Preparation, 'settings' | 'actionNeeds'> {
  state: JsonObject;
  /** The settings of the memory; left out if the loop neither recalls nor stores anything. */
  memory?: MemorySettings;
  /** Model of judges that name none. By default that of the worker. */
  judgeModel?: string;
  /** Temperature of judges that have none of their own. By default it depends on how often they are asked. */
  judgeTemperature?: number;
  structuredReflection: boolean;
  /** Judges of a revised version are not shown what it was made from. */
  hidesInputs?: true;
  /** Judges are not shown the calls that were made for a version. */
  hidesEvidence?: true;
  /** Judges are asked what only a person can bring. */
  asksBlockers?: true;
  stream?: true;
  /** A schema to send with calls for a whole output; left out if no evaluator has one that can be sent. */
  outputSchema?: JsonObject;
  evaluators: EvaluatorPlan[];
  second?: EvaluatorPlan;
  /** The plans of the evaluators, then that of the second judge. */
  allEvaluators: EvaluatorPlan[];
  /** All that is to be judged: the tasks of `allEvaluators`, in their order, each judge's as often as the spec says. */
  tasks: EvaluationTask[];
  schemas: (JsonObject | boolean)[];
}

export function resolveSpec(spec: ReflectionSpec, preparation: Preparation): ResolvedSpec {
  const { name, task, material, generator, reflectionPrompt, hooks } = spec;
  const { evaluators, second } = preparation;
  const plans = second ? [...evaluators, second] : evaluators;
  const judges = allEvaluators(spec);
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
    judgeTemperature: spec.judge?.temperature,
    structuredReflection: spec.structuredReflection ?? LOOP_DEFAULTS.structuredReflection,
    hidesInputs: spec.judge?.showInputs === false ? true : undefined,
    hidesEvidence: spec.judge?.showEvidence === false ? true : undefined,
    asksBlockers: spec.judge?.blockers ? true : undefined,
    stream: spec.stream ? true : undefined,
    outputSchema: schemaOfOutputs(spec),
    evaluators,
    second,
    allEvaluators: plans,
    tasks: plans.flatMap((plan, index) =>
      listTasks(seeingEvaluator(judges[index]!, spec), plan, index, spec.judge?.votes),
    ),
    schemas: judges.slice(0, evaluators.length).flatMap((judge) => ('schema' in judge ? [judge.schema] : [])),
  });
}
