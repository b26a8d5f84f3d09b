/** Workflows of somebody whose own agents do the parts of loops. */
import {
  ApplicationFailure,
  CancellationScope,
  condition,
  executeChild,
  getExternalWorkflowHandle,
  isCancellation,
  proxyActivities,
  sleep,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import type * as own from './own-activities';
import {
  type FunctionOutput,
  reflect,
  type ReflectionHooks,
  type ReflectionResult,
  type SpecWithFunctions,
  startReflection,
} from '../../src/workflow';

const { lookUp } = proxyActivities<typeof own>({ startToCloseTimeout: '10s' });

/** A reviser as a workflow of its own. */
export async function reviser(text: string, issues: string[]): Promise<string> {
  if (issues.includes('break')) {
    throw ApplicationFailure.nonRetryable('the pen broke', 'Broken', { tokenUsage: { totalTokens: 'many' } });
  }
  return `${text} ${await lookUp(issues.join())}`;
}

const usage = { promptTokens: 40, completionTokens: 10, usd: 0.01 };

/** All three parts are functions: activities, a child workflow, code. */
export async function threeFunctions(spec: SpecWithFunctions): Promise<{ result: ReflectionResult; told: unknown[] }> {
  const told: unknown[] = [];
  const result = await reflect(spec, {
    async generate({ iteration, task, state }) {
      told.push({ generate: iteration, task, topic: state['topic'] });
      return { output: await lookUp(String(state['topic'])), tokenUsage: usage };
    },
    evaluate({ iteration, output, qualityThreshold }) {
      told.push({ evaluate: iteration, output, qualityThreshold });
      const isLong = String(output).length > 8;
      return {
        score: isLong ? 0.9 : 0.3,
        issues: isLong ? [] : [{ message: 'more', severity: 'major' }],
        tokenUsage: usage,
      };
    },
    async revise({ iteration, output, evaluation }) {
      const issues = evaluation.issues.map(({ message }) => message);
      told.push({ revise: iteration, output, issues });
      return { output: await executeChild(reviser, { args: [String(output), issues] }), tokenUsage: usage };
    },
  });
  return { result, told };
}

/** Only the generator is a function; it reads what was wrong. */
export async function ownGenerator(spec: SpecWithFunctions): Promise<ReflectionResult> {
  return reflect(spec, {
    generate: ({ iteration, state }) => {
      const errors = state['reflection_errors'];
      return { output: { done: iteration > 1 && Array.isArray(errors) && errors.length > 0 } };
    },
  });
}

/** An agent that reports its calls and goes on with its conversation. */
export async function reportingAgent(spec: SpecWithFunctions): Promise<{ result: ReflectionResult; told: unknown[] }> {
  const told: unknown[] = [];
  const result = await reflect(spec, {
    generate: ({ iteration, conversation }) => {
      told.push({ generate: iteration, conversation });
      const calls = [{ name: 'find', arguments: { id: iteration }, result: 'on 3 May' }];
      return { output: 'soon', calls, conversation: [`version ${iteration}`] };
    },
    evaluate: ({ evidence }) => {
      told.push({ evidence });
      return { pass: false, score: 0.4 };
    },
    revise: ({ iteration, conversation, evidence }) => {
      told.push({ revise: iteration, conversation, evidence: evidence?.length });
      return { output: 'on 3 May', conversation: [...(conversation as string[]), `version ${iteration}`] };
    },
  });
  return { result, told };
}

/** The reviser's workflow fails. */
export async function failingReviser(spec: SpecWithFunctions): Promise<ReflectionResult> {
  return reflect(spec, {
    generate: () => ({ output: 'draft' }),
    evaluate: () => ({ pass: false, score: 0.4, issues: ['break'] }),
    revise: async ({ output }) => ({ output: await executeChild(reviser, { args: [String(output), ['break']] }) }),
  });
}

/** Somebody else cancels the reviser's workflow. */
export async function cancelledReviser(spec: SpecWithFunctions): Promise<ReflectionResult> {
  return reflect(spec, {
    generate: () => ({ output: 'draft' }),
    evaluate: () => ({ pass: false, score: 0.4 }),
    revise: async () => {
      const child = await startChild(waiter);
      await getExternalWorkflowHandle(child.workflowId).cancel();
      return { output: await child.result() };
    },
  });
}

/** Does nothing for long. */
export async function waiter(): Promise<string> {
  await sleep('1h');
  return 'late';
}

/** What a function returns, or throws as an own failure, from JSON. */
export async function answering(answer: unknown): Promise<string> {
  try {
    const result = await reflect(
      { evaluator: { type: 'schema', schema: true } },
      {
        generate: () => {
          if (answer === 'throw') throw ApplicationFailure.nonRetryable('enough', 'Enough');
          return answer as FunctionOutput;
        },
      },
    );
    return JSON.stringify(result.finalOutput);
  } catch (error) {
    if (!(error instanceof ApplicationFailure)) throw error;
    return `${error.type}: ${error.message}`;
  }
}

/** A generator that takes longer than the time budget, and notes that it was cancelled. */
export async function slowGenerator(spec: SpecWithFunctions): Promise<{ reason: string; cancelled: boolean }> {
  let cancelled = false;
  const { convergenceReason } = await reflect(spec, {
    generate: async ({ iteration }) => {
      if (iteration === 1) return { output: 'draft' };
      try {
        await sleep('1h');
      } catch (error) {
        cancelled = isCancellation(error);
        throw error;
      }
      return { output: 'never' };
    },
  });
  return { reason: convergenceReason, cancelled };
}

/** A person aborts the loop while its function works. */
export async function abortedFunction(spec: SpecWithFunctions): Promise<ReflectionResult> {
  const loop = startReflection(spec, {
    generate: async ({ iteration }) => {
      if (iteration === 1) return { output: 'draft' };
      void CancellationScope.nonCancellable(() => Promise.resolve()).then(() => loop.send('abort', {}));
      await sleep('1h');
      return { output: 'never' };
    },
  });
  return loop.result;
}

/** A loop whose caller is called when it waits for a person: it asks an activity, and then fails, or never ends. */
export async function waitsHeard(how: 'fails' | 'hangs'): Promise<{ result: ReflectionResult; heard: unknown[] }> {
  const heard: unknown[] = [];
  const loop = startReflection(
    { maxIterations: 1, review: { when: 'on_exhausted', timeout: '1d' } },
    {
      generate: () => ({ output: 'draft' }),
      evaluate: () => ({ pass: false, score: 0.4 }),
      onWaiting: async ({ iteration, output, reason, wait }) => {
        heard.push({ iteration, output, reason, hasId: wait.startsWith(workflowInfo().firstExecutionRunId) });
        heard.push(await lookUp('pager'));
        if (how === 'fails') throw ApplicationFailure.nonRetryable('the pager is off');
        await sleep('1h');
      },
    },
  );
  await condition(() => heard.length === 2);
  await sleep(1);
  loop.send('accept', {});
  return { result: await loop.result, heard };
}

/** Where a loop waits for something that no cancellation reaches. */
export type DeafPart = 'generate' | 'evaluate' | 'revise' | 'onGeneration' | 'onReflection' | 'onRevision';

export interface DeafEnd {
  reason: string;
  seconds: number;
  output: unknown;
}

function deafHooks(part: DeafPart, onWaiting: () => void): ReflectionHooks {
  const wait = (name: DeafPart): Promise<void> | undefined => {
    if (name !== part) return undefined;
    onWaiting();
    return new Promise(() => undefined);
  };
  return {
    generate: async () => (await wait('generate'), { output: 'draft' }),
    evaluate: async () => (await wait('evaluate'), { pass: false, score: 0.4 }),
    revise: async () => (await wait('revise'), { output: 'revised' }),
    onGeneration: () => wait('onGeneration'),
    onReflection: () => wait('onReflection'),
    onRevision: () => wait('onRevision'),
  };
}

/** A loop whose part waits for ever, which ends by its time budget, or because a person aborts it. */
export async function deafPart(part: DeafPart, how: 'time' | 'abort'): Promise<DeafEnd> {
  const began = Date.now();
  const spec: SpecWithFunctions = { maxIterations: 3, ...(how === 'time' && { budget: { wallClock: '2s' } }) };
  const loop = startReflection(
    spec,
    deafHooks(part, () => {
      if (how === 'abort') void sleep(1).then(() => loop.send('abort', {}));
    }),
  );
  const { convergenceReason: reason, finalOutput: output } = await loop.result;
  return { reason, seconds: (Date.now() - began) / 1_000, output };
}

/** A function that cleans up when it is cancelled: an aborted loop waits for that. */
export async function tidyFunction(): Promise<{ reason: string; cleaned: string }> {
  let cleaned = 'not';
  const loop = startReflection(
    {},
    {
      generate: async () => {
        void CancellationScope.nonCancellable(() => sleep(1)).then(() => loop.send('abort', {}));
        try {
          await sleep('1h');
        } finally {
          cleaned = await CancellationScope.nonCancellable(() => lookUp('cleaned'));
        }
        return { output: 'never' };
      },
      evaluate: () => ({ pass: true }),
    },
  );
  const { convergenceReason: reason } = await loop.result;
  return { reason, cleaned };
}
