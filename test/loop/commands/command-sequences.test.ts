import { type CommandName, COMMAND_NAMES } from '../../../src/loop/base/command-payloads';
import { isRepeated, receiveCommand } from '../../../src/loop/commands/commands';
import type { Json, JsonObject } from '../../../src/lib/json/json';
import type { LoopSettings } from '../../../src/loop/state/loop-settings';
import { currentIteration, initialState, type LoopState } from '../../../src/loop/state/loop-state';
import { endsCall, type Move, nextMove } from '../../../src/loop/moves/next-move';
import { parkStep, takeParkedStep } from '../../../src/loop/state/parking';
import { beginReview, leaveReview } from '../../../src/loop/state/review-wait';
import { settleVersion, stop, reopenLatest, recordDraft, recordOverride } from '../../../src/loop/moves/transitions';
import { Random } from '../../../testing/torture/random';
import { commandSequence, type SentCommand } from '../../../testing/support/command-sequences';
import { DEFAULT_SETTINGS } from '../../../testing/support/versions';

const SEQUENCES = 1_000;
const spec = { generator: { action: 'writes' } };
const EVALUATORS = [{ name: 'test', type: 'test', weight: 1, gate: false, local: true }];
const WHEN = [undefined, 'on_exhausted', 'on_satisfactory', 'every_iteration'] as const;
const ASKED = { toolCalls: [{ id: 'c', name: 'ask_person', arguments: '{}' }], results: [null], said: '', turns: [] };
/** Of the record of a command that was taken and had no effect. */
const WITHOUT_EFFECT = /^the (run ended before|step was given up)/;
const AT = '2026-01-01T00:00:00.000Z';

/** A loop that is played through without a server: calls are answered, fail to be cancelled, or are cancelled. */
class Play {
  readonly state: LoopState = initialState(0);
  readonly settings: LoopSettings;
  readonly accepted: SentCommand[] = [];
  readonly told: string[] = [];
  judgedOnDemand = 0;
  #now = 1;
  readonly #random: () => number;
  readonly #outbox: SentCommand[];

  constructor(seed: number) {
    const random = new Random(seed);
    this.#random = () => random.next();
    const when = this.#pick(WHEN);
    const onTimeout = this.#pick(['accept', 'stop', 'fail'] as const);
    this.settings = {
      ...DEFAULT_SETTINGS,
      maxIterations: 1 + this.#below(4),
      ...(when ? { review: { when, timeoutMs: 1_000, onTimeout } } : {}),
    };
    this.#outbox = commandSequence(random);
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #pick<T>(list: readonly T[]): T {
    return list[this.#below(list.length)]!;
  }

  /** Delivers one command. A repeated id must leave everything as it is. */
  deliver({ name, payload }: SentCommand): void {
    const { state } = this;
    const repeated = isRepeated(state, payload);
    const before = repeated ? structuredClone(state) : undefined;
    const via = this.#random() < 0.5 ? 'signal' : 'update';
    const why = receiveCommand(state, { name, payload: payload as Json, via, at: AT }, this.settings);
    if (before) expect(state).toEqual(before);
    else if (why === undefined) this.accepted.push({ name, payload });
  }

  /** Some of what people send arrives now. */
  #mail(): void {
    while (this.#outbox.length > 0 && this.#random() < 0.5) this.deliver(this.#outbox.pop()!);
  }

  /** Parks a step, or goes on with one whose question is answered, or whose time is up. */
  #ask(): void {
    const { state } = this;
    const waits = [{ id: 'question-1', kind: 'question' as const, call: 0, question: 'Which one?' }];
    const iteration = currentIteration(state) + 1;
    parkStep(state, { ...ASKED, iteration, steps: 1, waits, since: this.#now, until: this.#now + 50 });
  }

  #call(origin: 'draft' | 'regeneration'): void {
    if (!takeParkedStep(this.state) && this.#random() < 0.3) return this.#ask();
    const told = origin === 'draft' ? [] : [...(this.state.guidance ?? [])];
    this.#mail();
    const given = endsCall(nextMove({ spec, settings: this.settings, state: this.state, now: this.#now }));
    // A cancelled call may have been answered already.
    if (given && this.#random() < 0.7) return;
    this.judgedOnDemand += this.state.commands.reflect ? 1 : 0;
    this.told.push(...told);
    recordDraft(this.state, { output: `output ${this.#now}`, warnings: [] }, origin, { told: told.length });
  }

  #judge(): void {
    this.#mail();
    const { state } = this;
    if (endsCall(nextMove({ spec, settings: this.settings, state, now: this.#now }))) return;
    const outcome = this.#pick(['pass', 'fail', 'fail'] as const);
    const { pending } = state;
    pending!.verdicts[0] = {
      name: 'test',
      type: 'test',
      outcome,
      score: outcome === 'pass' ? 1 : this.#random() / 2,
      issues: [],
      suggestions: [],
      criteriaScores: {},
      confidence: 1,
      ms: 1,
    } as never;
    settleVersion(state, this.settings, EVALUATORS, AT);
  }

  #perform(move: Move): void {
    const { state, settings } = this;
    if (move.kind !== 'wait') leaveReview(state);
    switch (move.kind) {
      case 'draft':
        return this.#call('draft');
      case 'evaluate':
        return this.#judge();
      case 'override':
        // Its judgement is the one that was asked for.
        this.judgedOnDemand += state.commands.reflect ? 1 : 0;
        return recordOverride(state, settings, AT);
      case 'judge_again':
        this.judgedOnDemand += 1;
        return reopenLatest(state, settings);
      case 'wait':
        beginReview(state, settings, move.reason, this.#now);
        if (this.#outbox.length === 0) this.#now = state.review!.until;
        return this.#mail();
      case 'await_answer':
        if (this.#outbox.length === 0) this.#now = state.parked!.until;
        return this.#mail();
      case 'stop':
        return stop(state, settings, move, AT);
      default:
        return this.#call('regeneration');
    }
  }

  run(): void {
    for (let step = 0; !this.state.stopped; step += 1) {
      if (step > 2_000) throw new Error('the loop does not end');
      this.#now += 1;
      this.#mail();
      this.#perform(nextMove({ spec, settings: this.settings, state: this.state, now: this.#now }));
    }
    const { people: _people, peopleTally: _tally, seenCommandIds: _ids, ...ended } = structuredClone(this.state);
    const acknowledged = this.accepted.length;
    while (this.#outbox.length > 0) this.deliver(this.#outbox.pop()!);
    expect(this.accepted).toHaveLength(acknowledged);
    expect(this.state).toMatchObject(ended);
  }

  payloads(name: CommandName): JsonObject[] {
    return this.accepted.filter((sent) => sent.name === name).map(({ payload }) => payload);
  }

  /** Of commands that were taken, those that are noted as having come too late for an effect. */
  unused(name: CommandName): number {
    return this.state.people.filter((entry) => entry.name === name && WITHOUT_EFFECT.test(entry.why ?? '')).length;
  }
}

describe('any sequence of commands', () => {
  const plays = Array.from({ length: SEQUENCES }, (_, seed) => new Play(seed + 1));

  test(`each acknowledged command took effect exactly once, and none after the end: ${SEQUENCES} sequences`, () => {
    for (const play of plays) {
      play.run();
      const { state } = play;
      const { versions, people } = state;
      const iterations = versions.map(({ iteration }) => iteration);
      expect(iterations).toEqual(iterations.map((_, index) => index + 1));
      // An override is one version; guidance is told once, or noted as unused; limits rise by the sum.
      const overrides = versions.filter(({ origin }) => origin === 'override').map(({ output }) => output);
      expect(overrides).toEqual(play.payloads('override').map(({ output }) => output));
      const guides = play.payloads('guide').map(({ text }) => text);
      expect([...play.told]).toEqual(guides.slice(0, guides.length - play.unused('guide')));
      const added = play.payloads('extend').reduce((sum, { iterations: each }) => sum + (each as number), 0);
      expect(state.extended?.iterations ?? 0).toBe(added);
      expect(play.judgedOnDemand + play.unused('reflect')).toBe(play.payloads('reflect').length);
      const decided = play.payloads('decide').at(-1);
      if (decided && play.payloads('guide').length === 0) {
        const { iteration, decision } = decided;
        expect(state.commands.decision).toEqual({ iteration, decision });
      }
      const end = play.payloads('abort').length > 0 ? 'aborted' : 'user_accepted';
      const ending = play.payloads('abort').length + play.payloads('accept').length > 0;
      expect(state.stopped!.reason === 'aborted' || state.stopped!.reason === 'user_accepted').toBe(ending);
      expect(ending ? state.stopped!.reason : end).toBe(end);
      expect(currentIteration(state)).toBe(versions.length);
      // Every id is carried out once; what was refused may come again, and is noted again.
      const carriedOut = people.filter(({ applied, why }) => applied || WITHOUT_EFFECT.test(why ?? ''));
      const ids = carriedOut.map(({ payload }) => (payload as JsonObject)['id']);
      expect(new Set(ids).size).toBe(ids.length);
      const without = play.unused('guide') + play.unused('reflect') + play.unused('answer');
      expect(people.filter(({ applied }) => applied)).toHaveLength(play.accepted.length - without);
    }
  });

  test('the sequences reach every command, refused and applied, and every way to end', () => {
    const entries = plays.flatMap(({ state }) => state.people);
    for (const name of COMMAND_NAMES) {
      const applied = new Set(entries.filter((entry) => entry.name === name).map((entry) => entry.applied));
      expect([name, applied]).toEqual([name, new Set([true, false])]);
    }
    const reasons = new Set(plays.map(({ state }) => state.stopped?.reason));
    for (const reason of [
      'aborted',
      'user_accepted',
      'quality_met',
      'max_iterations',
      'stopped',
      'review_timeout',
    ] as const)
      expect(reasons).toContain(reason);
  });
});
