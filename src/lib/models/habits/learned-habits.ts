import type { ModelConfig } from '../types';
import type { Lesson } from './call-form';

/** The habits of endpoints that one worker process found out, for each endpoint with each model. */
export class LearnedHabits {
  /** Lessons, and until when each holds, by `performance.now()`. */
  readonly #lessons = new Map<string, Map<Lesson, number>>();
  readonly #takesSchema = new Set<string>();

  constructor(private readonly clock: () => number = () => performance.now()) {}

  lessonsOf(config: ModelConfig): Set<Lesson> {
    const now = this.clock();
    const known = [...(this.#lessons.get(keyOf(config)) ?? [])];
    return new Set(known.filter(([, until]) => now < until).map(([lesson]) => lesson));
  }

  /** @param forMs for how long it holds. Default: as long as the process lives */
  note(config: ModelConfig, lesson: Lesson, forMs = Infinity): void {
    const key = keyOf(config);
    const lessons = this.#lessons.get(key) ?? new Map<Lesson, number>();
    this.#lessons.set(key, lessons.set(lesson, this.clock() + forMs));
  }

  /** Notes that a reply of a schema arrived: a failure from now on has another reason. */
  noteSchemaTaken(config: ModelConfig): void {
    this.#takesSchema.add(keyOf(config));
  }

  takesSchema(config: ModelConfig): boolean {
    return this.#takesSchema.has(keyOf(config));
  }
}

function keyOf({ baseUrl = '', model }: ModelConfig): string {
  return `${baseUrl} ${model}`;
}
