import fc from 'fast-check';
import type { BatchItem } from '../../../../src/kinds/batch/state/batch';
import type { BatchLine } from '../../../../src/kinds/batch/contract/batch-results';
import type { BatchSpec } from '../../../../src/kinds/batch/contract/batch';
import {
  batchResult,
  type BatchState,
  initialBatch,
  nextBatchMove,
  noteGrant,
  takeReport,
} from '../../../../src/kinds/batch/state/batch-state';
import {
  initialPage,
  nextPageMove,
  noteReported,
  listPageLines,
  type PageState,
  recordLine,
  reportOf,
  startItem,
} from '../../../../src/kinds/batch/state/page-state';
import { NO_USAGE } from '../../../../src/lib/base/tokens';

/** What may happen next, as a number says: all orders of messages and ends of loops come about. */
interface Plan {
  pages: number[];
  concurrency: number;
  reportEvery: number;
  tokens?: number;
  choices: number[];
}

const plans: fc.Arbitrary<Plan> = fc.record(
  {
    pages: fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 6 }),
    concurrency: fc.integer({ min: 1, max: 9 }),
    reportEvery: fc.integer({ min: 1, max: 4 }),
    tokens: fc.integer({ min: 1, max: 200 }),
    choices: fc.array(fc.nat(1_000), { minLength: 1, maxLength: 80 }),
  },
  { requiredKeys: ['pages', 'concurrency', 'reportEvery', 'choices'] },
);

const PER_ITEM = 10;
const STATUSES = ['passed', 'not_passed', 'failed'] as const;

/** A batch and its pages, whose messages to each other arrive in order, some time later. */
class Played {
  readonly batch: BatchState = initialBatch(0);
  readonly pages: PageState[];
  readonly spec: BatchSpec;
  readonly started: number[] = [];
  mostRunning = 0;
  paused = false;
  ended = false;
  #toPages: { page: number; slots: number; grant: number }[] = [];
  #toBatch: ReturnType<typeof reportOf>[] = [];
  #finished = 0;

  constructor(private readonly plan: Plan) {
    let index = 0;
    const itemsOf = (count: number): BatchItem[] =>
      Array.from({ length: count }, () => ({ index: index++, id: String(index), state: {} }));
    this.pages = plan.pages.map((count) => initialPage({ items: itemsOf(count), done: [] }));
    const { pages, concurrency, tokens } = plan;
    const budget = tokens === undefined ? {} : { budget: { tokens } };
    this.spec = { loop: {} as never, digest: '0', pages, concurrency, ...budget };
  }

  /** All that could happen now. */
  possible(): (() => void)[] {
    const steps: (() => void)[] = [];
    const move = nextBatchMove(this.batch, this.spec, { isLong: false });
    if (move.kind === 'grant') {
      steps.push(() => {
        noteGrant(this.batch, this.spec, move.page, move.slots);
        const { told } = this.batch.active.find(({ page }) => page === move.page)!;
        this.#toPages.push({ page: move.page, slots: move.slots, grant: told });
      });
    } else if (move.kind === 'finish') {
      steps.push(() => (this.#finished = this.batch.finished = this.pages.length));
    } else if (move.kind === 'end') this.ended = true;
    const [grant] = this.#toPages;
    if (grant) {
      steps.push(() => {
        this.#toPages.shift();
        Object.assign(this.pages[grant.page]!, { slots: grant.slots, grant: grant.grant });
      });
    }
    if (this.#toBatch.length > 0) steps.push(() => takeReport(this.batch, this.spec, this.#toBatch.shift()!));
    this.pages.forEach((page, number) => steps.push(...this.#ofPage(page, number)));
    return steps;
  }

  #ofPage(page: PageState, number: number): (() => void)[] {
    const steps: (() => void)[] = [];
    if (number < this.#finished) page.finishing = true;
    const move = nextPageMove(page, { isLong: false, reportEvery: this.plan.reportEvery });
    if (move === 'start') {
      steps.push(() => {
        this.started.push(startItem(page).index);
        const running = this.pages.reduce((sum, { running: of }) => sum + of.length, 0);
        this.mostRunning = Math.max(this.mostRunning, running);
      });
    } else if (move === 'report') {
      steps.push(() => {
        this.#toBatch.push(reportOf(number, page));
        noteReported(page);
      });
    }
    const [first] = page.running;
    if (first) {
      const line: BatchLine = {
        index: first.index,
        id: first.id,
        status: STATUSES[first.index % 3]!,
        tokenUsage: { ...NO_USAGE, totalTokens: PER_ITEM, modelCalls: 1 },
      };
      steps.push(() => recordLine(page, line, false));
    }
    return steps;
  }

  play(): void {
    for (let turn = 0; turn < 5_000; turn += 1) {
      const choice = this.plan.choices[turn % this.plan.choices.length]! + turn;
      // A person pauses now and then, and resumes.
      if (choice % 37 === 0) this.batch.paused = !this.batch.paused && turn < 200;
      const steps = this.possible();
      if (this.ended) return;
      if (steps.length > 0) steps[choice % steps.length]!();
      else if (this.batch.paused) this.batch.paused = false;
      else throw new Error('nothing can happen, and the batch has not ended');
    }
    throw new Error('the batch does not end');
  }
}

test('whatever comes when: a batch ends, each item has one run and one line, and never more run than it says', () => {
  fc.assert(
    fc.property(plans, (plan) => {
      const played = new Played(plan);
      played.play();
      const { pages, spec, batch, started } = played;
      const items = plan.pages.reduce((sum, count) => sum + count, 0);
      expect(new Set(started).size).toBe(started.length);
      expect(played.mostRunning).toBeLessThanOrEqual(plan.concurrency);
      const lines = pages.flatMap((page) => listPageLines({ batch: 'b', attempt: 1 }, page));
      expect(lines.map(({ index }) => index)).toEqual(Array.from({ length: items }, (_, index) => index));
      const result = batchResult(batch, spec, 0);
      expect(result.notStarted).toBe(items - started.length);
      expect(result.passed).toBe(lines.filter(({ status }) => status === 'passed').length);
      expect(result.tokenUsage.totalTokens).toBe(started.length * PER_ITEM);
      if (plan.tokens === undefined) expect(result.notStarted).toBe(0);
      if (result.budgetSpent) expect(result.tokenUsage.totalTokens).toBeGreaterThanOrEqual(plan.tokens!);
      else expect(result.notStarted).toBe(0);
    }),
    { numRuns: 500 },
  );
});
