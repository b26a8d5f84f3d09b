import type { ReflectionClient, RunReference } from '../../client';
import type { JsonObject } from '../../domain/base/json';
import type { SpecProblem } from '../../domain/base/spec-problem';
import type { FileProblem, ReflectionFile } from '../../yaml/index';
import { CliError } from '../support/cli-error';
import { followPipeline } from '../follow/follow-pipeline';
import { followPlan } from '../follow/follow-plan';
import { followRun } from '../follow/follow';
import { liveView } from '../views/live-view';
import { pipelineText } from '../views/pipeline-view';
import { planText } from '../views/plan-view';
import { oneLine } from '../views/printable';
import { resultText } from '../views/result-view';

/** What `reflect run` was given to run. */
export interface RunnableFile {
  name: string;
  file: string;
  /** Finds in the file what a mistake is about. */
  locate(problem: SpecProblem): FileProblem[];
  /** What ends a run of it early. */
  stopCommand(workflowId: string): string;
  start(client: ReflectionClient, options: { workflowId?: string }): Promise<RunReference>;
  /** Says what happens, until the run ends. */
  follow(client: ReflectionClient, run: RunReference, news: NodeJS.WriteStream, signal: AbortSignal): Promise<Finish>;
}

/** How a job ended. */
export interface Finish {
  result: unknown;
  /** The same for people. */
  text: string;
  /** Whether what it made is good enough; `error`: it could not go on. */
  outcome: 'success' | 'notGoodEnough' | 'error';
}

/** A file's job. `state` goes over the file's own. */
export function runnableFileOf(read: ReflectionFile, state: JsonObject): RunnableFile {
  switch (read.kind) {
    case 'spec':
      return specJob(read, state);
    case 'pipeline':
      return pipelineJob(read, state);
    case 'plan':
      return planJob(read, state);
    case 'agents':
      throw new CliError(
        'NothingToRun',
        `${read.file} holds a population, which lives until it is told to finish.`,
        `Start it: npx reflect agents start ${read.file}`,
      );
    default:
      throw new CliError('NothingToRun', `${read.file} holds configuration: there is nothing in it to run.`);
  }
}

function specJob({ file, locate, spec }: ReflectionFile & { kind: 'spec' }, state: JsonObject): RunnableFile {
  const whole = Object.keys(state).length === 0 ? spec : { ...spec, state: { ...spec.state, ...state } };
  return {
    name: spec.name ?? 'reflection',
    file,
    locate,
    stopCommand: (workflowId) => `npx reflect abort ${workflowId}`,
    start: (client, options) => client.start(whole, options),
    async follow(client, run, news, signal) {
      const view = liveView(news);
      const result = await followRun(client, run, view, signal).finally(() => view.clear());
      const failed = result.convergenceReason === 'error' ? 'error' : 'notGoodEnough';
      return { result, text: resultText(result), outcome: result.success ? 'success' : failed };
    },
  };
}

function pipelineJob(
  { file, locate, pipeline }: ReflectionFile & { kind: 'pipeline' },
  state: JsonObject,
): RunnableFile {
  const whole = Object.keys(state).length === 0 ? pipeline : { ...pipeline, state: { ...pipeline.state, ...state } };
  return {
    name: pipeline.name ?? 'pipeline',
    file,
    locate,
    stopCommand: (workflowId) => `npx reflect abort ${workflowId}`,
    start: (client, options) => client.startPipeline(whole, options),
    async follow(client, run, news, signal) {
      const { result, progress } = await followPipeline(client, run, news, signal);
      const good = result.state['success'] !== false;
      return { result, text: pipelineText(result, progress), outcome: good ? 'success' : 'notGoodEnough' };
    },
  };
}

function planJob({ file, locate, spec }: ReflectionFile & { kind: 'plan' }, state: JsonObject): RunnableFile {
  const whole = Object.keys(state).length === 0 ? spec : { ...spec, state: { ...spec.state, ...state } };
  return {
    name: oneLine(spec.goal, 80),
    file,
    locate,
    stopCommand: (workflowId) => `npx reflect abort ${workflowId}`,
    start: (client, options) => client.startPlan(whole, options),
    async follow(client, run, news, signal) {
      const { result, progress } = await followPlan(client, run, news, signal);
      return { result, text: planText(result, progress), outcome: result.success ? 'success' : 'notGoodEnough' };
    },
  };
}
