import { z } from 'zod';
import type { Action, ActionRegistry } from '../../actions/types';
import type { EvaluationContext } from '../../evaluators/types';
import type { SentPrompt } from '../../lib/contract/model-calls';
import { messageOf } from '../../lib/base/message-of';
import type { ChatRequest, Models } from '../../lib/models/types';
import { redact } from '../../lib/redact';
import { HIDDEN_CODE } from '../../lib/text/asked-code';
import { withFenceKey } from '../../lib/templates';
import { TimeBudget, runWithinTimeBudget } from '../../lib/threads/time-budget';
import { isJudge } from '../../loop/spec/evaluator-traits';
import { isModelCall } from '../../loop/spec/steps';
import { reflectAgent } from '../agents/agent-activities';
import type { ReflectAgentInput } from '../agents/protocol';
import { STEP_MILLISECONDS } from '../execution/check-times';
import { makeOutput, makeVerdict, repairVerdict } from '../made';
import type { EvaluateInput, RepairInput, StepInput } from '../protocol';
import { sentPrompt } from './sent-prompt';

export type RenderedPrompt = { prompt: SentPrompt; note?: string } | { why: string };

/** The run of a call, by which fences get their codes. */
interface CallPlace {
  workflowId: string;
  runId: string;
}

interface PromptKind {
  asksModel(input: unknown): boolean;
  work(input: unknown, workflowId: string, context: EvaluationContext): Promise<unknown>;
  /** The parts that the prompt lacks. */
  note?: string;
}

const step: PromptKind = {
  asksModel: (input) => isModelCall((input as StepInput).step),
  work: (input, workflowId, context) => makeOutput(input as StepInput, workflowId, context),
};

const KINDS: Readonly<Record<string, PromptKind>> = {
  generate: step,
  revise: step,
  evaluate: {
    asksModel: (input) => {
      const { evaluators } = input as EvaluateInput;
      return evaluators.length === 1 && isJudge(evaluators[0]!);
    },
    work: (input, workflowId, context) => makeVerdict(input as EvaluateInput, 0, workflowId, context),
  },
  repair: {
    asksModel: () => true,
    work: (input, workflowId, context) => repairVerdict(input as RepairInput, workflowId, context),
  },
  reflectAgent: {
    asksModel: () => true,
    work: (input, _workflowId, context) => reflectAgent(input as ReflectAgentInput, context, undefined),
    note: 'without what the memory of the worker recalled, which is not recorded',
  },
};

export const PROMPTING_ACTIVITIES: ReadonlySet<string> = new Set(Object.keys(KINDS));

class CallReached extends Error {
  constructor(readonly request: ChatRequest) {
    super();
  }
}

/** Models that take every request, answer none, and have judges ask for a code that is none. */
const UNASKED: Models = {
  problem: () => undefined,
  hasPrice: () => false,
  refuses: () => undefined,
  earlierCode: HIDDEN_CODE,
  call: (request) => Promise.reject(new CallReached(request)),
};

function nameAlone(name: string): Action {
  const description = 'Only the worker knows what it is and takes.';
  const run = (): never => {
    throw new TypeError('a tool whose prompt is shown is not run');
  };
  return { name, description, input: z.object({}), parameters: { type: 'object' }, run };
}

const UNKNOWN_TOOLS: ActionRegistry = {
  names: [],
  find: nameAlone,
  get: nameAlone,
  whyNot: () => '',
  learn: () => Promise.resolve(),
};

export function asksModel(activity: string, input: unknown): boolean {
  try {
    return KINDS[activity]?.asksModel(input) ?? false;
  } catch {
    return true;
  }
}

/**
 * Writes it by the code of activities, as this version would send it. It has no code of a judge, no bytes of
 * attachments, and of tools only the names. `activity` is without our prefix.
 */
export async function renderPrompt(activity: string, input: unknown, place: CallPlace): Promise<RenderedPrompt> {
  const kind = KINDS[activity];
  if (!kind) return { why: `no prompt is known of the activity ${activity}` };
  const { signal } = new AbortController();
  const { chain = place.runId } = (input ?? {}) as { chain?: string };
  const attachments = { load: () => Promise.resolve(new Uint8Array()) };
  const work = async (): Promise<unknown> =>
    kind.work(input, place.workflowId, { models: UNASKED, actions: UNKNOWN_TOOLS, attachments, signal });
  try {
    const budget = new TimeBudget(STEP_MILLISECONDS, signal);
    await withFenceKey(chain, () => runWithinTimeBudget(budget, work));
    return { why: 'with this version of the package it asks no model' };
  } catch (error) {
    if (!(error instanceof CallReached)) return { why: `it cannot be written again: ${redact(messageOf(error))}` };
    return { prompt: sentPrompt(error.request), ...(kind.note !== undefined && { note: kind.note }) };
  }
}
