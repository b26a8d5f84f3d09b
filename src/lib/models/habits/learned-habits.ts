import type { ModelConfig, SuggestedSetting } from '../types';
import type { Lesson } from './call-form';

/** A part of a request that an endpoint may refuse without naming it. */
export type AcceptedPart = 'schema' | SuggestedSetting;

/** The habits of endpoints that one worker process found out, for each endpoint with each model. */
export class LearnedHabits {
  /** Lessons, and until when each holds, by `performance.now()`. */
  readonly #lessons = new Map<string, Map<Lesson, number>>();
  readonly #taken = new Map<string, Set<AcceptedPart>>();

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

  /** Notes that a request with some parts was answered: a failure from now on has another reason. */
  noteAccepted(config: ModelConfig, parts: readonly AcceptedPart[]): void {
    const key = keyOf(config);
    this.#taken.set(key, new Set([...(this.#taken.get(key) ?? []), ...parts]));
  }

  /** Returns the parts of requests that the endpoint is known to take. */
  acceptedParts(config: ModelConfig): ReadonlySet<AcceptedPart> {
    return this.#taken.get(keyOf(config)) ?? new Set();
  }
}

function keyOf({ baseUrl = '', model }: ModelConfig): string {
  return `${baseUrl} ${model}`;
}
