/** Workflows of somebody, in the part of agents that loops call by name. */
import {
  ApplicationFailure,
  CancellationScope,
  condition,
  isCancellation,
  proxyActivities,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type * as own from './own-activities';

const { lookUp } = proxyActivities<typeof own>({ startToCloseTimeout: '10s' });

/** What a loop tells; workflows of any language get this object. */
interface Request {
  part: string;
  iteration: number;
  task?: string;
  state: Record<string, unknown>;
  with?: unknown;
  output?: unknown;
  issues?: { message: string }[];
  evaluation?: { overallScore: number | null };
  qualityThreshold?: number;
}

const tokenUsage = { promptTokens: 40, completionTokens: 10, usd: 0.01 };

/** Writes, and rewrites what it wrote. */
export async function writer(request: Request): Promise<unknown> {
  const { part, output, issues = [], state } = request;
  if (part === 'generate') return { output: await lookUp(String(state['topic'])), tokenUsage };
  return {
    output: `${String(output)} ${issues.map(({ message }) => message).join()}`,
    tokenUsage,
    warnings: ['again'],
  };
}

/** Says what it was told. */
export async function echo(request: Request): Promise<unknown> {
  return { ...request, state: Object.keys(request.state).toSorted() };
}

export async function judge({ output, qualityThreshold, with: told }: Request): Promise<unknown> {
  const { least } = told as { least: number };
  const isLong = String(output).length >= least;
  return {
    score: isLong ? 0.9 : 0.3,
    issues: isLong ? null : ['more'],
    suggestions: [String(qualityThreshold)],
    tokenUsage,
  };
}

/** Returns what it is told to, or fails. */
export async function answers({ with: told }: Request): Promise<unknown> {
  if (told === 'nothing') return undefined;
  if (told === 'fail') throw ApplicationFailure.nonRetryable('the pen broke', 'Broken', { tokenUsage });
  return told;
}

/** Fails after its first draft. */
export async function draftsOnly({ iteration }: Request): Promise<string> {
  if (iteration > 1) throw ApplicationFailure.nonRetryable('the pen broke', 'Broken', { tokenUsage: { usd: 'x' } });
  return 'draft';
}

/** Works for so long as nobody cancels it, and tidies up then. */
export async function endless(): Promise<void> {
  try {
    await condition(() => false);
  } catch (error) {
    if (isCancellation(error)) await CancellationScope.nonCancellable(() => sleep(1));
    throw error;
  }
}

/** Takes its time, and says which run it was. */
export async function slow(): Promise<string> {
  await sleep('5s');
  return workflowInfo().runId;
}
