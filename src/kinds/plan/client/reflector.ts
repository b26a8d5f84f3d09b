import { randomUUID } from 'node:crypto';
import { fenceBy } from '../../../lib/text/fence';
import { criteriaFromConfig } from '../reflector/criteria';
import type { ReflectionCriteria } from '../contract/plan';
import { listEpisodeInsights, type EpisodeInsight } from '../reflector/episode-insights';
import { evaluatePlan, evaluateTask } from '../reflector/evaluate-plan';
import { findFailurePatterns } from '../reflector/failure-patterns';
import { renderSuggestionPrompt, readSuggestions } from '../reflector/model-suggestions';
import type {
  Episode,
  EvaluatedPlan,
  EvaluatedTask,
  Evaluation,
  FailurePattern,
  TaskResult,
} from '../contract/plan-results';

/** A model that a reflector may ask. */
export interface LlmClient {
  /** Returns the model's reply to a prompt. */
  complete(prompt: string): Promise<string>;
}

export interface ReflectorOptions {
  /** Asked by `evaluatePlan`. Default: none; rules decide alone. */
  llmClient?: LlmClient;
  /** Thresholds of the rules. Criteria that are left out have their defaults. */
  criteria?: Partial<ReflectionCriteria>;
  /** False: no model is asked, even with an `llmClient`. Default true. */
  enableLlmReflection?: boolean;
  /**
   * Called with the insights of an episode. Default: they are not stored; `learnFromEpisode` returns them in any case.
   */
  storeInsights?(insights: EpisodeInsight[], episode: Episode): void | Promise<void>;
  /**
   * Called if the model could not be asked; the evaluation is then that of the rules. Default: the failure is ignored.
   */
  onModelFailure?(error: unknown): void;
}

/**
 * Evaluates tasks and plans that your code carried out, finds patterns in their failures, and learns from episodes. It
 * does not need Temporal; `planReflection` does the same durably.
 */
export class Reflector {
  readonly criteria: ReflectionCriteria;
  readonly #options: ReflectorOptions;

  /** @throws InvalidConfigError for wrong criteria */
  constructor(options: ReflectorOptions = {}) {
    this.#options = options;
    this.criteria = criteriaFromConfig(options.criteria);
  }

  /** Evaluates the result of a task, by rules. */
  evaluateTask(task: EvaluatedTask, result: TaskResult): Evaluation {
    return evaluateTask(task, result, this.criteria);
  }

  /**
   * Evaluates a plan by the results of its tasks: by rules, and with suggestions of the model if there is one. If the
   * model fails, only its suggestions are missing.
   */
  async evaluatePlan(plan: EvaluatedPlan, results: readonly TaskResult[]): Promise<Evaluation> {
    const { evaluation } = evaluatePlan(plan, results, now(), this.criteria);
    const { llmClient, enableLlmReflection = true } = this.#options;
    if (!llmClient || !enableLlmReflection) return evaluation;
    try {
      const reply = await llmClient.complete(renderSuggestionPrompt(plan, results, evaluation, fenceBy(randomUUID)));
      const suggestions = new Set([...evaluation.suggestions, ...readSuggestions(reply)]);
      return { ...evaluation, suggestions: [...suggestions] };
    } catch (error) {
      this.#options.onModelFailure?.(error);
      return evaluation;
    }
  }

  /** Finds patterns in the failures of a plan. */
  failurePatterns(plan: EvaluatedPlan, results: readonly TaskResult[]): FailurePattern[] {
    return findFailurePatterns(plan, results, now(), this.criteria);
  }

  /** Returns insights for the next plan, and passes them to `storeInsights`. */
  async learnFromEpisode(episode: Episode): Promise<EpisodeInsight[]> {
    const insights = listEpisodeInsights(episode, this.criteria);
    if (insights.length > 0) await this.#options.storeInsights?.(insights, episode);
    return insights;
  }
}

function now(): string {
  return new Date().toISOString();
}
