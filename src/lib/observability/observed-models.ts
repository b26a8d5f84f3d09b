import { Context } from '@temporalio/activity';
import { plainActivityName } from '../names/activity-names';
import type { TokenUsage } from '../contract/values';
import type { EmbeddingReply, EmbeddingRequest } from '../models';
import type { ChatRequest, ModelConfig, Models } from '../models/types';
import type { Instrumentation, ModelCall, ModelCallEnd } from './instrumentation';

interface ObservedModels extends Models {
  embed(request: EmbeddingRequest): Promise<EmbeddingReply>;
}

interface Observers {
  instrumentations: readonly Instrumentation[];
  configs: readonly ModelConfig[];
  /** The name of the model of a spec that names none, if none is configured. */
  defaultModel: string;
  failureType(error: unknown): string;
}

export function observedModels<Given extends ObservedModels>(models: Given, observers: Observers): Given {
  if (observers.instrumentations.length === 0) return models;
  return {
    ...models,
    call: (request: ChatRequest) =>
      watchCall(request, observers, {
        begins: describeCall(request, observers),
        make: () => models.call(request),
        ended: ({ cutOff, usage, text }) => ({ outcome: cutOff ? 'cut_off' : 'ok', usage, text }),
      }),
    embed: (request: EmbeddingRequest) =>
      watchCall(request, observers, {
        begins: {
          ...describeCall(
            { ...request, messages: request.texts.map((content) => ({ role: 'user', content })) },
            observers,
          ),
          operation: 'embeddings',
        },
        make: () => models.embed(request),
        ended: ({ usage }) => ({ outcome: 'ok', usage }),
      }),
  };
}

async function watchCall<T>(
  { signal }: { signal: AbortSignal },
  { instrumentations, failureType }: Observers,
  { begins, make, ended }: { begins: ModelCall; make(): Promise<T>; ended(reply: T): Omit<ModelCallEnd, 'ms'> },
): Promise<T> {
  const started = performance.now();
  const watchers = instrumentations.map((each) => each.modelCall(begins));
  const end = (what: Omit<ModelCallEnd, 'ms'>) => {
    for (const watcher of watchers) watcher({ ...what, ms: performance.now() - started });
  };
  try {
    const reply = await make();
    end(ended(reply));
    return reply;
  } catch (error) {
    const { usage } = error as { usage?: TokenUsage };
    end({ outcome: signal.aborted ? 'cancelled' : failureType(error), ...(usage ? { usage } : {}) });
    throw error;
  }
}

function describeCall(
  request: Pick<ChatRequest, 'model' | 'messages' | 'temperature' | 'maxTokens'>,
  { configs, defaultModel }: Observers,
): ModelCall {
  const { info } = Context.current();
  const { workflowId = '', runId = '' } = info.workflowExecution ?? {};
  const [first] = configs;
  const config = request.model === undefined ? first : configs.find(({ name }) => name === request.model);
  const asked = request.model ?? defaultModel;
  return {
    model: config?.name ?? (asked === defaultModel ? asked : 'other'),
    providerModel: config?.model ?? asked,
    activity: plainActivityName(info.activityType),
    attempt: info.attempt,
    namespace: info.workflowNamespace ?? '',
    workflowId,
    runId,
    messages: request.messages,
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(request.maxTokens === undefined ? {} : { maxTokens: request.maxTokens }),
  };
}
