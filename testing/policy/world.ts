import type { RevisionMethod } from '../../src/loop/contract/loop-options';
import type { Chance } from './random';
import type { Regime } from './regimes';

/** Severities of the possible flaws; the last is critical. */
export const SEVERITIES = [1, 1, 2, 2, 3, 3, 4, 5] as const;
const TOTAL = 21;
const CRITICAL = SEVERITIES.length - 1;
const FLAWS = SEVERITIES.map((_, flaw) => flaw);

/** The flaws that a version has. */
export type Flaws = ReadonlySet<number>;

/** 1 for no flaw, 0 for all of them. */
export function trueQuality(flaws: Flaws): number {
  return 1 - [...flaws].reduce((sum, flaw) => sum + SEVERITIES[flaw]!, 0) / TOTAL;
}

/** What the person who asked would be glad of. */
export function isTrulyGood(flaws: Flaws): boolean {
  return trueQuality(flaws) >= 0.8 - 1e-9 && !flaws.has(CRITICAL);
}

/** What the judge said: the flaws that it reports, present or not, and its score. Undefined: it was out of order. */
export type Opinion = { reported: number[]; score: number } | undefined;

/** Tokens of a text of the task, and of a judgement or a list of edits. */
export const TEXT = 600;
export const SHORT = 150;

/** A task with its writer and its judge. Everything that a policy does here is counted. */
export class World {
  calls = 0;
  tokens = 0;
  readonly firstDraft: Flaws;
  /** Every flaw that was present when the judge reported it. */
  readonly trulyReported = new Set<number>();
  /** Those that a revision was told of. */
  readonly acted = new Set<number>();
  private readonly stuck: number | undefined;
  private readonly failed = new Map<string, number>();
  private drafts = 0;

  constructor(
    readonly regime: Regime,
    private readonly judgeKind: 'llm' | 'criteria',
    readonly chance: Chance,
  ) {
    this.stuck = chance.happens(regime.stuck) ? chance.oneOf(FLAWS) : undefined;
    this.firstDraft = this.newDraft();
  }

  draft(): Flaws {
    this.pay(SHORT, TEXT);
    this.drafts += 1;
    return this.drafts === 1 ? this.firstDraft : this.newDraft();
  }

  private newDraft(): Flaws {
    return new Set(FLAWS.filter((flaw) => flaw === this.stuck || this.chance.happens(this.regime.draftFlawRate)));
  }

  /** Counts a call. */
  pay(promptTokens: number, replyTokens: number): void {
    this.calls += 1;
    this.tokens += promptTokens + replyTokens;
  }

  judge(flaws: Flaws): Opinion {
    this.pay(SHORT + TEXT, SHORT);
    const opinion = this.opinion(flaws);
    for (const flaw of opinion?.reported ?? []) if (flaws.has(flaw)) this.trulyReported.add(flaw);
    return opinion;
  }

  /** What the judge would say, not paid for: for measuring how well it agrees with itself. */
  opinion(flaws: Flaws): Opinion {
    if (this.chance.happens(this.regime.outage)) return undefined;
    return this.judgeKind === 'llm' ? this.impression(flaws) : this.answers(flaws);
  }

  private impression(flaws: Flaws): Opinion {
    const { recall, falseAlarm, bias, noise } = this.regime;
    const reported = [...flaws].filter(() => this.chance.happens(recall));
    const alarm = this.chance.happens(falseAlarm) ? this.chance.oneOf(absentFrom(flaws)) : undefined;
    const score = trueQuality(flaws) + bias + noise * this.chance.normal();
    return { reported: alarm === undefined ? reported : [...reported, alarm], score: Math.min(1, Math.max(0, score)) };
  }

  /** One yes/no answer for each possible flaw; the score is computed from them. */
  private answers(flaws: Flaws): Opinion {
    const reported = FLAWS.filter((flaw) => flaws.has(flaw) !== this.chance.happens(this.regime.answerError));
    return { reported, score: trueQuality(new Set(reported)) };
  }

  /** A new draft that was told of flaws of others, and may have them all the same. */
  private resample(reported: readonly number[]): Flaws {
    this.pay(SHORT + SHORT, TEXT);
    this.drafts += 1;
    const made = new Set(this.newDraft());
    for (const flaw of reported) {
      this.acted.add(flaw);
      if (flaw !== this.stuck && this.chance.happens(this.regime.fix)) made.delete(flaw);
    }
    return made;
  }

  /** A revision that was told of some flaws. It learns that a report was false only by not finding the flaw. */
  revise(flaws: Flaws, reported: readonly number[], method: RevisionMethod): Flaws {
    if (method === 'resample') return this.resample(reported);
    const { fix, fixUnreported } = this.regime;
    this.pay(SHORT + TEXT + SHORT, method === 'targeted_edit' ? SHORT : TEXT);
    const left = new Set(flaws);
    for (const flaw of flaws) {
      const told = reported.includes(flaw);
      if (told) this.acted.add(flaw);
      const attempt = `${flaw} ${method}`;
      const failures = this.failed.get(attempt) ?? 0;
      const probability = flaw === this.stuck ? 0 : told ? fix * 0.5 ** failures : fixUnreported;
      if (this.chance.happens(probability)) left.delete(flaw);
      else if (told) this.failed.set(attempt, failures + 1);
    }
    const broken = this.chance.happens(method === 'full_rewrite' ? this.regime.breakRewrite : this.regime.break);
    const flaw = broken ? this.chance.oneOf(absentFrom(flaws)) : undefined;
    if (flaw !== undefined) left.add(flaw);
    return left;
  }
}

function absentFrom(flaws: Flaws): number[] {
  return FLAWS.filter((flaw) => !flaws.has(flaw));
}
