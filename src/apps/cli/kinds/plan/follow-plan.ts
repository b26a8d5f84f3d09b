import pc from 'picocolors';
import type { PlanProgress, TaskStatus } from '../../../../kinds/plan/contract/plan-results';
import { DOING, judgedLines, taskEndLine, taskStartLine } from './plan-view';
import type { Teller } from '../../follow/follow-parts';

const hasEnded = (status: TaskStatus | undefined): boolean => status === 'succeeded' || status === 'failed';

/** Says task by task what a plan does, with the versions of its loops, and when it is made anew. */
export class PlanTeller {
  readonly #narrator: Teller;
  #attempt = 0;
  #judged = 0;
  #phase: PlanProgress['phase'] | undefined;
  #told = new Map<string, TaskStatus>();
  /** Tasks that succeeded in an earlier plan: they are not run again. */
  #kept = new Set<string>();

  constructor(narrator: Teller) {
    this.#narrator = narrator;
  }

  async tell(progress: PlanProgress): Promise<void> {
    const { attempt, phase } = progress;
    // While the next plan is being made, the tasks are still those of the one before.
    if (phase === 'planning') await this.#tellTasks(progress);
    this.#tellJudged(progress);
    if (attempt > this.#attempt) this.#showNextPlan(attempt);
    const doing = phase === this.#phase ? undefined : DOING[phase];
    if (doing !== undefined) this.#narrator.write([doing]);
    this.#phase = phase;
    if (phase !== 'planning') await this.#tellTasks(progress);
  }

  /** Prints judgements, also of plans of which all tasks began and ended between two looks. */
  #tellJudged({ judged }: PlanProgress): void {
    for (const [index, { success, issues }] of judged.entries()) {
      if (index >= this.#judged && !success) this.#narrator.write(judgedLines(index + 1, issues));
    }
    this.#judged = judged.length;
  }

  #showNextPlan(attempt: number): void {
    if (attempt > 1) this.#narrator.write(['', pc.bold(`Plan ${attempt}`)]);
    for (const [id, status] of this.#told) if (status === 'succeeded') this.#kept.add(id);
    this.#attempt = attempt;
    this.#told = new Map();
  }

  async #tellTasks({ tasks }: PlanProgress): Promise<void> {
    for (const task of tasks) {
      const before = this.#told.get(task.id);
      if (task.status === 'waiting' || this.#kept.has(task.id) || hasEnded(before)) continue;
      if (before === undefined) this.#narrator.write([taskStartLine(task)]);
      this.#told.set(task.id, task.status);
      if (task.workflowId !== undefined) await this.#narrator.tellVersions(task.workflowId);
      if (hasEnded(task.status)) this.#narrator.write([taskEndLine(task)]);
    }
  }
}
