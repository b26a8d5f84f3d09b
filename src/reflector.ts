import { randomUUID } from 'node:crypto';
import { fenceBy } from './domain/text/fence';
import { type ReflectionCriteria, criteriaFromConfig } from './domain/reflector/criteria';
import { episodeInsights, type EpisodeInsight } from './domain/reflector/episode-insights';
import { evaluatePlan } from './domain/reflector/evaluate-plan';
import { evaluateTask } from './domain/reflector/evaluate-task';
import { failurePatterns } from './domain/reflector/failure-patterns';
import { suggestionPrompt, suggestionsIn } from './domain/reflector/model-suggestions';
import type {
  Episode,
  EvaluatedPlan,
  EvaluatedTask,
  Evaluation,
  FailurePattern,
  TaskResult,
} from './domain/reflector/types';

/** A model that a reflector may ask. */
export interface LlmClient {
  /** The model's reply to a prompt. */
  complete(prompt: string): Promise<string>;
}

export interface ReflectorOptions {
  /** Asked by `evaluatePlan`; without one, rules decide alone. */
  llmClient?: LlmClient;
  /** What is left out has its default. */
  criteria?: Partial<ReflectionCriteria>;
  /** False: no model is asked, whatever `llmClient` is. Default true. */
  enableLlmReflection?: boolean;
  /** Where insights go. Default: nowhere; `learnFromEpisode` gives them back in any case. */
  storeInsights?(insights: EpisodeInsight[], episode: Episode): void | Promise<void>;
  /** Told of a model that could not be asked; the evaluation is that of the rules then. Default: nothing. */
  onModelFailure?(error: unknown): void;
}

/**
 * Judges tasks and plans that some code carried out, finds patterns in their failures, and learns from episodes. It needs no
 * Temporal: `planReflection` does the same in a durable way.
 */
export class Reflector {
  readonly criteria: ReflectionCriteria;
  readonly #options: ReflectorOptions;

  /** @throws InvalidConfigError for wrong criteria */
  constructor(options: ReflectorOptions = {}) {
    this.#options = options;
    this.criteria = criteriaFromConfig(options.criteria);
  }

  /** Judges what came of a task, by rules. */
  evaluateTask(task: EvaluatedTask, result: TaskResult): Evaluation {
    return evaluateTask(task, result, this.criteria);
  }

  /**
   * Judges a plan by what came of its tasks: by rules, and with suggestions of the model if there is one. A model that fails
   * costs its suggestions and nothing else.
   */
  async evaluatePlan(plan: EvaluatedPlan, results: readonly TaskResult[]): Promise<Evaluation> {
    const { evaluation } = evaluatePlan(plan, results, now(), this.criteria);
    const { llmClient, enableLlmReflection = true } = this.#options;
    if (!llmClient || !enableLlmReflection) return evaluation;
    try {
      const reply = await llmClient.complete(suggestionPrompt(plan, results, evaluation, fenceBy(randomUUID)));
      const suggestions = new Set([...evaluation.suggestions, ...suggestionsIn(reply)]);
      return { ...evaluation, suggestions: [...suggestions] };
    } catch (error) {
      this.#options.onModelFailure?.(error);
      return evaluation;
    }
  }

  /** Patterns in a plan's failures. */
  failurePatterns(plan: EvaluatedPlan, results: readonly TaskResult[]): FailurePattern[] {
    return failurePatterns(plan, results, now(), this.criteria);
  }

  /** What the next plan should know; handed to `storeInsights`, too. */
  async learnFromEpisode(episode: Episode): Promise<EpisodeInsight[]> {
    const insights = episodeInsights(episode, this.criteria);
    if (insights.length > 0) await this.#options.storeInsights?.(insights, episode);
    return insights;
  }
}

function now(): string {
  return new Date().toISOString();
}
