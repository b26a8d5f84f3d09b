import { createActionRegistry } from '../../src/actions/registry';
import type { Action, ActionRegistry } from '../../src/actions/types';
import type { EvaluationInput } from '../../src/evaluators/types';
import { createModels } from '../../src/lib/models';
import type { ModelConfig, Models } from '../../src/lib/models/types';
import { requestsOf } from '../../src/apps/testing/scripted-model/ledger';
import type { LedgerEntry, Script, ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';

type Body = NonNullable<LedgerEntry['body']>;

export interface ScriptedWorld {
  models: Models;
  actions: ActionRegistry;
  signal: AbortSignal;
  /** The bodies of the requests so far. */
  bodies(): Body[];
  /** All that the models were told in a request, the first unless another is asked for. */
  said(request?: number): string;
}

/** Models that answer from a script over real HTTP; fails when answers are missing or left over. */
export async function withScript<Result>(
  replies: (string | object)[],
  work: (world: ScriptedWorld) => Promise<Result>,
  config: Partial<ModelConfig> = {},
  actions: Action[] = [],
): Promise<Result> {
  const script = replies.map((reply) => (isEntry(reply) ? reply : { reply }));
  const server = await ScriptedOpenAI.start({ script });
  const models = createModels([{ name: 'm', model: 'm-1', baseUrl: server.baseUrl, ...config }], {});
  const bodies = (): Body[] => requestsOf(server.ledger).map(({ body }) => body!);
  const said = (request = 0): string => {
    const { messages } = bodies()[request]!;
    return messages.map(({ content }) => content).join('\n');
  };
  try {
    const result = await work({
      models,
      actions: createActionRegistry(actions),
      signal: new AbortController().signal,
      bodies,
      said,
    });
    server.assertDone();
    return result;
  } finally {
    await server.close();
  }
}

/** A judge whose reply depends on what it is asked, such as on the code in its prompt. */
export async function withJudge<Result>(
  script: Extract<Script, (...given: never[]) => unknown>,
  work: (world: Omit<ScriptedWorld, 'bodies' | 'said'>) => Promise<Result>,
): Promise<Result> {
  const server = await ScriptedOpenAI.start({ script });
  const models = createModels([{ name: 'm', model: 'm-1', baseUrl: server.baseUrl }], {});
  try {
    return await work({ models, actions: createActionRegistry([]), signal: new AbortController().signal });
  } finally {
    await server.close();
  }
}

export function judgeInput(input: Partial<EvaluationInput> = {}): EvaluationInput {
  return {
    output: 'a draft',
    state: {},
    qualityThreshold: 0.8,
    iteration: 1,
    workflowId: 'loop-1',
    structured: true,
    timeoutMs: 5_000,
    ...input,
  };
}

function isEntry(reply: string | object): reply is ScriptEntry {
  return typeof reply === 'object' && ['reply', 'refusal', 'status', 'fault'].some((key) => key in reply);
}
