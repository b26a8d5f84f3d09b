import { contractText } from '../../src/evaluators/judge/judge-contract';
import { docketWords, findingsPart } from '../../src/evaluators/judge/docket-contract';
import { judgementOfFields } from '../../src/evaluators/judge/judge-reply';
import { inconclusiveJudgement } from '../../src/evaluators/judgement';
import type { Issue } from '../../src/loop/contract/evaluation';
import { openDisputes, closeDispute, closeDocket } from '../../src/loop/docket/settle';
import { secondLooks } from '../../src/loop/docket/second-looks';
import { shownFindings } from '../../src/loop/docket/shown';
import { recordVerdict, settleVersion } from '../../src/loop/moves/transitions';
import type { Dispute, ShownFinding } from '../../src/loop/state/docket';
import type { LoopSettings } from '../../src/loop/state/loop-settings';
import type { LoopState } from '../../src/loop/state/loop-state';
import { resolveSpec } from '../../src/loop/state/resolved-spec';
import { JUDGE, severityOf } from './judging';
import { playLoop, specOf } from './ours';
import type { Episode, Policy } from './policies';
import {
  ASIDE_COUNT,
  draftText,
  quoteFor,
  type Remark,
  renderText,
  type ReviewedText,
  revisedText,
  wordRemark,
} from './reviewed-text';
import { type Flaws, SHORT, TEXT, type World } from './world';

/** Kinds of judges that do not come to an end by themselves, beside an ordinary one. */
export const REVIEWERS = ['ordinary', 'always finds something', 'contradicts itself', 'rewords'] as const;
export type ReviewerKind = (typeof REVIEWERS)[number];

/** The probabilities of what reviewers do. They are inputs, and the loop does not know them. */
const CONTRADICTS = 0.35;
/** Says of a wish to have a repair taken back that it is one. */
const ADMITS = 0.6;
/** Answers an earlier finding by its id, rather than as a new one; less often if it rewords. */
const ANSWERS = 0.9;
const ANSWERS_WHILE_REWORDING = 0.6;
/** Says of a finding that it no longer sees that it is gone. */
const CLOSES = 0.9;
/** Is right in one order about a finding in dispute. */
const RIGHT_ABOUT_DISPUTE = 0.9;

const CHARACTERS_PER_TOKEN = 4;
const QUOTE_TOKENS = 15;
const LOOK_TOKENS = 60;

/** A judge of one kind, in one loop. */
class Reviewer {
  private readonly meanings = new Map<string, Remark>();
  private readonly reported = new Set<number>();
  private readonly texts: ReviewedText[] = [];

  constructor(
    private readonly kind: ReviewerKind,
    private readonly world: World,
  ) {}

  write(flaws: Flaws, version: number): string {
    this.texts[version - 1] ??= draftText(flaws);
    return renderText(this.texts[version - 1]!);
  }

  remarkOf(message: string): Remark | undefined {
    return this.meanings.get(message);
  }

  revise(flaws: Flaws, issues: readonly Issue[], method: Parameters<World['revise']>[2], base: number): Flaws {
    const { world } = this;
    const told = issues.flatMap(({ message }) => this.remarkOf(message) ?? []);
    const reported = told.flatMap(({ kind, place }) => (kind === 'flaw' ? [place] : []));
    const revised = new Set(world.revise(flaws, [...new Set(reported)], method));
    // The writer does as it is told: it takes a repair back, and the flaw is there again.
    for (const { kind, place } of told) if (kind === 'revert' && world.chance.happens(0.7)) revised.add(place);
    const isRewritten = method === 'full_rewrite' || method === 'resample';
    this.texts.push(revisedText(this.texts[base - 1]!, revised, told, isRewritten, world.chance));
    return revised;
  }

  /** Lists the flaws that it reports: a finding that it is shown is a question to it, which it answers as the judge of a checklist does. */
  private reportedFlaws(text: ReviewedText, found: readonly number[], shown: readonly ShownFinding[] = []): number[] {
    const { chance, regime } = this.world;
    const asked = new Set(
      shown.flatMap(({ message, state }) => {
        const remark = this.remarkOf(message);
        return state === 'open' && remark?.kind === 'flaw' ? [remark.place] : [];
      }),
    );
    const still = [...asked].filter((flaw) => text.flaws.has(flaw) !== chance.happens(regime.answerError));
    return [...found.filter((flaw) => !asked.has(flaw)), ...still];
  }

  /** Says what it remarks of a text, and with which score. */
  private look(
    text: ReviewedText,
    shown: readonly ShownFinding[] | undefined,
  ): { remarks: Remark[]; score: number } | undefined {
    const { world, kind } = this;
    const { chance } = world;
    const opinion = world.opinion(text.flaws);
    if (!opinion) return undefined;
    const reported = this.reportedFlaws(text, opinion.reported, shown);
    for (const flaw of reported) if (text.flaws.has(flaw)) world.trulyReported.add(flaw);
    const remarks: Remark[] = reported.map((place) => ({ kind: 'flaw', place }));
    if (kind === 'always finds something')
      remarks.push({ kind: 'taste', place: Math.floor(chance.next() * ASIDE_COUNT) });
    const mended = [...this.reported].filter((flaw) => !text.flaws.has(flaw) && !reported.includes(flaw));
    if (kind === 'contradicts itself' && mended.length > 0 && chance.happens(CONTRADICTS))
      remarks.push({ kind: 'revert', place: chance.oneOf(mended)! });
    for (const flaw of reported) this.reported.add(flaw);
    return { remarks, score: opinion.score };
  }

  private issueOf(remark: Remark, text: ReviewedText, shown: readonly ShownFinding[] | undefined) {
    const { chance } = this.world;
    const answers = this.kind === 'rewords' ? ANSWERS_WHILE_REWORDING : ANSWERS;
    const same = (one: Remark | undefined, kind = remark.kind): boolean =>
      one?.kind === kind && one.place === remark.place;
    const known = shown?.find(({ message, state }) => same(this.remarkOf(message)) && state !== 'fixed');
    const mended = shown?.find(({ message, state }) => same(this.remarkOf(message), 'flaw') && state === 'fixed');
    const message = wordRemark(remark, this.kind === 'rewords' ? chance : undefined);
    this.meanings.set(message, remark);
    const severity =
      remark.kind === 'taste'
        ? ('minor' as const)
        : remark.kind === 'revert'
          ? ('major' as const)
          : severityOf(remark.place);
    return {
      message,
      severity,
      ...(shown && { quote: quoteFor(text, remark) }),
      ...(known && chance.happens(answers) && { finding: known.id }),
      ...(remark.kind === 'revert' && mended && chance.happens(ADMITS) && { contradicts: mended.id }),
    };
  }

  /** Judges a version, with the docket if the spec has one. */
  judge(state: LoopState, settings: LoopSettings, version: number) {
    const text = this.texts[version - 1]!;
    const { world, kind } = this;
    const shown = settings.docket ? shownFindings(state.docket, JUDGE.name) : undefined;
    const seen = this.look(text, shown);
    const issues = (seen?.remarks ?? []).map((remark) => this.issueOf(remark, text, shown));
    const extra = shown ? docketTokens(shown) : 0;
    world.pay(SHORT + TEXT + extra, SHORT + (shown ? QUOTE_TOKENS * issues.length : 0));
    if (!seen) return inconclusiveJudgement('out of order');
    const gone = (shown ?? []).filter(({ message, state: of }) => {
      const remark = this.remarkOf(message);
      const isSeen = seen.remarks.some(({ kind: one, place }) => one === remark?.kind && place === remark.place);
      return of === 'open' && !isSeen && world.chance.happens(CLOSES);
    });
    const isNeverPleased = kind === 'always finds something' && issues.length > 0;
    const isGrave = kind === 'contradicts itself' && seen.remarks.some((remark) => remark.kind === 'revert');
    return judgementOfFields(
      {
        score: seen.score,
        ...((isNeverPleased || isGrave) && { valid: false }),
        issues,
        suggestions: [],
        fixedFindings: gone.map(({ id }) => id),
      },
      settings.qualityThreshold,
      JUDGE.name,
    );
  }

  /** Looks at a finding in dispute, in one order. */
  settle({ claim }: Dispute, text: ReviewedText): boolean {
    const remark = [...this.meanings].find(([message]) => claim.includes(message))?.[1];
    const isRight = remark?.kind === 'flaw' && text.flaws.has(remark.place);
    this.world.pay(SHORT + TEXT + SHORT, LOOK_TOKENS);
    return this.world.chance.happens(RIGHT_ABOUT_DISPUTE) ? isRight : !isRight;
  }

  textOf(version: number): ReviewedText {
    return this.texts[version - 1]!;
  }
}

/** Returns the tokens that the docket adds to a judge's prompt. */
function docketTokens(shown: readonly ShownFinding[]): number {
  const words = contractText(true, 0.8, docketWords(shown)).length - contractText(true, 0.8).length;
  return Math.ceil((words + findingsPart(shown).join('').length) / CHARACTERS_PER_TOKEN);
}

/** Returns the loop of this package with a judge of a kind, with or without the docket. */
export function reviewedBy(kind: ReviewerKind, docket: boolean): Policy {
  return (world, options): Episode => {
    const spec = specOf(options, docket ? { judge: { docket } } : {});
    const reviewer = new Reviewer(kind, world);
    return playLoop(spec, world, {
      write: (flaws, version) => reviewer.write(flaws, version),
      revise: (flaws, issues, method, base) => reviewer.revise(flaws, issues, method, base),
      evaluate: (state, settings) => judgeByDocket(reviewer, state, settings),
    });

    function judgeByDocket(by: Reviewer, state: LoopState, settings: LoopSettings): void {
      const pending = state.pending!;
      const version = state.versions.length + 1;
      const resolved = resolveSpec(spec, { settings, evaluators: [JUDGE], actionNeeds: {}, searchAttributes: false });
      const { allEvaluators: plans } = resolved;
      const judgement = by.judge(state, settings, version);
      recordVerdict(state, pending, 0, { ...judgement, name: JUDGE.name, type: JUDGE.type, ms: 0 });
      if (settings.docket) {
        for (const dispute of openDisputes(state, pending, plans)) {
          const looks: boolean[] = [];
          for (const _look of secondLooks(resolved, pending.docket!, dispute)) {
            looks.push(by.settle(dispute, by.textOf(version)));
            if (!looks.at(-1)) break;
          }
          closeDispute(pending, dispute, looks);
        }
        closeDocket(state, pending, plans);
      }
      settleVersion(state, settings, plans, '');
    }
  };
}
