import { Context } from '@temporalio/activity';
import type { TokenUsage } from '../domain/tokens';
import type { ChatRequest, ModelConfig, Models } from '../models/types';
import type { Instrumentation, ModelCall, ModelCallEnd } from './instrumentation';

export interface Observers {
  instrumentations: readonly Instrumentation[];
  /** The models that the worker was given. */
  configs: readonly ModelConfig[];
  /** What a spec gets that names no model, where none is configured. */
  defaultModel: string;
  /** The type of a failure, without `Model.`. */
  failureType(error: unknown): string;
}

/** The same models, watched. */
export function observedModels(models: Models, observers: Observers): Models {
  const { instrumentations, failureType } = observers;
  if (instrumentations.length === 0) return models;
  return {
    ...models,
    problem: (name) => models.problem(name),
    async call(request) {
      const started = performance.now();
      const watchers = instrumentations.map((each) => each.modelCall(begun(request, observers)));
      const end = (what: Omit<ModelCallEnd, 'ms'>) => {
        for (const watcher of watchers) watcher({ ...what, ms: performance.now() - started });
      };
      try {
        const { cutOff, usage, text, ...rest } = await models.call(request);
        end({ outcome: cutOff ? 'cut_off' : 'ok', usage, text });
        return { cutOff, usage, text, ...rest };
      } catch (error) {
        const { usage } = error as { usage?: TokenUsage };
        const outcome = request.signal.aborted ? 'cancelled' : failureType(error);
        end({ outcome, ...(usage ? { usage } : {}) });
        throw error;
      }
    },
  };
}

function begun(request: ChatRequest, { configs, defaultModel }: Observers): ModelCall {
  const { info } = Context.current();
  const { workflowId = '', runId = '' } = info.workflowExecution ?? {};
  const [first] = configs;
  const config = request.model === undefined ? first : configs.find(({ name }) => name === request.model);
  const asked = request.model ?? defaultModel;
  return {
    model: config?.name ?? (asked === defaultModel ? asked : 'other'),
    providerModel: config?.model ?? asked,
    activity: info.activityType,
    attempt: info.attempt,
    namespace: info.workflowNamespace ?? '',
    workflowId,
    runId,
    messages: request.messages,
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(request.maxTokens === undefined ? {} : { maxTokens: request.maxTokens }),
  };
}
