import path from 'node:path';
import pc from 'picocolors';
import { isDeepStrictEqual } from 'node:util';
import type { ReflectionClient } from '../../../client';
import type { TemporalOverrides } from '../../../lib/config';
import { runConcurrently } from '../../../lib/base/concurrently';
import { type Arm, type Baseline, BASELINES, makeSingleShot, makeUnattended } from '../../experiment/arms';
import { compareArms, type Comparison } from '../../experiment/comparison';
import {
  listCautions,
  renderConclusion,
  renderCounts,
  renderPassedWith,
  renderRate,
} from '../../experiment/conclusion-text';
import { type ExperimentReport, rowOf, type ArmRow } from '../../experiment/rows';
import type { CaseOutcome } from '../../experiment/outcome';
import { InvalidSpecError } from '../../../loop/errors/errors';
import { CliError } from '../support/cli-error';
import { withClient } from '../support/connect';
import { experimentPage } from '../../report/experiment-page';
import { ItemLines } from '../support/item-lines';
import { type LoopFile, readLoopFile, readText, tellItemWarnings, tellWarnings } from '../support/run-input';
import { warnWithoutWorker } from '../support/pollers';
import { withFileLocation } from '../support/with-file-location';
import { writeReport, writeTarget } from '../terminal/write-target';
import { printText, printAside, writeJson } from '../terminal/say';
import { StatusLine } from '../terminal/status-line';
import {
  type Case,
  readCases,
  runArm,
  assertJudge,
  type HeldOutJudge,
  judgedState,
  judgeFile,
  truthOf,
} from './run-arm';
import { renderCount } from '../../../lib/text/counted';
import type { Estimate } from '../../experiment/statistics';
import { plainTable } from '../terminal/table';
import { oneLine, seconds } from '../views/printable';

const number = (estimate: Estimate | null | undefined, digits: number): string =>
  estimate ? estimate.value.toFixed(digits) : '–';

function cells(row: ArmRow): string[] {
  const { arm, passed, right, calls, tokens, usd, p50Ms, p95Ms, failed } = row;
  const time = p50Ms === undefined || p95Ms === undefined ? '–' : `${seconds(p50Ms)} / ${seconds(p95Ms)}`;
  const price = usd ? `$${usd.value.toFixed(4)}` : '–';
  return [
    oneLine(arm, 40),
    renderRate(passed),
    renderRate(right),
    number(calls, 2),
    number(tokens, 0),
    price,
    time,
    String(failed),
  ];
}

const HEAD = ['arm', 'passed (95 %)', 'right (95 %)', 'calls', 'tokens', 'USD', 'p50 / p95', 'failed'];

const COLOURS: Partial<Record<Comparison['conclusion'], (text: string) => string>> = {
  better: pc.green,
  worse: pc.red,
  not_worth_its_cost: pc.yellow,
};

export function experimentText({
  arms,
  comparisons,
  conclusions,
  cautions,
}: {
  arms: readonly ArmRow[];
  comparisons: readonly Comparison[];
  conclusions: readonly string[];
  cautions: readonly string[];
}): string {
  const table = plainTable(HEAD, arms.map(cells), { spare: ['failed', 'USD', 'p50 / p95'] });
  const ended = arms.map((row) => {
    const passedWith = renderPassedWith(row);
    const open = row.unjudged === undefined ? '' : `; ${row.unjudged} could not be judged`;
    const passes = passedWith === undefined ? 'none passed' : `passed with ${passedWith}`;
    return `${oneLine(row.arm, 40)}: ended by ${renderCounts(row.reasons)}; ${passes}${open}`;
  });
  const said = conclusions.map((text, index) => (COLOURS[comparisons[index]!.conclusion] ?? String)(text));
  const notes = cautions.map((text) => pc.dim(text));
  return [
    table,
    '',
    ...ended,
    ...(said.length > 0 ? ['', ...said] : []),
    ...(notes.length > 0 ? ['', ...notes] : []),
  ].join('\n');
}

export interface ExperimentOptions extends TemporalOverrides {
  variant: string[];
  baseline: (Baseline | 'none')[];
  judge?: string;
  name: string;
  concurrency: number;
  seed: number;
  html?: string;
  strict?: boolean;
  json?: boolean;
}

interface Variant {
  arm: Arm;
  read: LoopFile;
}

async function readVariant(file: string, strict: boolean | undefined): Promise<Variant> {
  const read = await readLoopFile(file, 'An experiment compares loops.');
  tellWarnings(read, { strict });
  const name = path.basename(read.file).replace(/\.(?:ya?ml|json)$/, '');
  return { arm: { name, kind: 'loop', spec: makeUnattended(read.spec) }, read };
}

async function armsOf({ variant, baseline, strict }: ExperimentOptions): Promise<{ arms: Arm[]; variants: Variant[] }> {
  const variants = await Promise.all(variant.map((file) => readVariant(file, strict)));
  const [first] = variants;
  if (!first) throw new CliError('NoLoop', 'There is no spec to try.', 'Name one or more: --variant loop.yaml');
  const { spec } = first.arm;
  const asked = BASELINES.filter((kind) => baseline.length === 0 || baseline.includes(kind));
  const baselines = asked.map((kind): Arm => ({
    name: kind,
    kind,
    spec: kind === 'single' ? makeSingleShot(spec) : spec,
  }));
  const arms = [...variants.map(({ arm }) => arm), ...baselines];
  const twice = arms.find(({ name }, index) => arms.findIndex((other) => other.name === name) !== index);
  if (!twice) return { arms, variants };
  throw new CliError('InvalidInput', `Two arms are called "${twice.name}".`, 'Give the files different names.');
}

function locateProblem(error: unknown, { name }: Arm, variants: readonly Variant[]): unknown {
  const own = variants.find(({ arm }) => arm.name === name) ?? variants[0]!;
  return error instanceof InvalidSpecError ? withFileLocation(error, own.read) : error;
}

interface Plan {
  client: ReflectionClient;
  arms: readonly Arm[];
  variants: readonly Variant[];
  judge: HeldOutJudge | undefined;
  name: string;
}

/** Runs all arms on a case, one after the other: samples need to know what the loop used. */
async function outcomesOf({ client, arms, variants, judge, name }: Plan, tested: Case): Promise<CaseOutcome[]> {
  const outcomes: CaseOutcome[] = [];
  for (const arm of arms) {
    try {
      const calls = outcomes[0]?.usage.modelCalls ?? 0;
      const outcome = await runArm({ client, name }, arm, tested, calls);
      const right = outcome.error
        ? undefined
        : await truthOf(client, judge, { tested, arm: arm.name, output: outcome.output });
      outcomes.push(right === undefined ? outcome : { ...outcome, right });
    } catch (error) {
      throw locateProblem(error, arm, variants);
    }
  }
  return outcomes;
}

/** Runs a number of cases at a time. The first problem ends it: it would fail all of them. */
async function allOutcomes(
  plan: Plan,
  cases: readonly Case[],
  concurrency: number,
  onDone: (cases: number) => void,
): Promise<CaseOutcome[]> {
  const found = new Map<Case, CaseOutcome[]>();
  await runConcurrently(cases, concurrency, async (tested) => {
    found.set(tested, await outcomesOf(plan, tested));
    onDone(found.size);
  });
  return cases.flatMap((each) => found.get(each) ?? []);
}

export async function experiment(file: string, options: ExperimentOptions): Promise<number> {
  const { json = false, html, seed, concurrency, name } = options;
  const { arms, variants } = await armsOf(options);
  const cases = await readCases(new ItemLines(file));
  const inputs = [file, ...options.variant, ...(options.judge === undefined ? [] : [options.judge])];
  const target = html === undefined ? undefined : await writeTarget(html, inputs);
  const judge = options.judge === undefined ? undefined : await readJudge(options.judge, cases[0]!);
  const { strict } = options;
  const states = cases.map(({ state }) => state);
  const warnings = [
    ...variants.flatMap(({ read }) => tellItemWarnings(read, states, strict)),
    ...(judge ? tellItemWarnings(judgeFile(judge), cases.map(judgedState), strict) : []),
  ];
  return withClient(options, async (client) => {
    await warnWithoutWorker(client, printAside);
    const status = new StatusLine(process.stderr);
    const show = (done: number): void =>
      status.show(
        `${done} of ${renderCount(cases.length, 'case')} · ${renderCount(arms.length, 'arm')} each`,
        undefined,
      );
    show(0);
    const plan = { client, arms, variants, judge, name };
    const outcomes = await allOutcomes(plan, cases, concurrency, show).finally(() => status.close());
    const found = reportOf(name, arms, outcomes, seed);
    const report = { ...found, cautions: [...warnings, ...found.cautions] };
    if (target) await writeReport(target, experimentPage(report, new Date().toISOString()));
    if (json) writeJson(report);
    else printText(experimentText(report));
    return 0;
  });
}

async function readJudge(asked: string, first: Case): Promise<HeldOutJudge> {
  const [text, file] = await readText(asked);
  const judge = { text, file };
  assertJudge(judge, first);
  return judge;
}

function reportOf(
  name: string,
  arms: readonly Arm[],
  outcomes: readonly CaseOutcome[],
  seed: number,
): ExperimentReport {
  const compared = compareArms(arms, outcomes, seed);
  const [first, ...others] = arms.filter(({ kind }) => kind === 'loop').map(({ spec }) => spec.evaluator);
  return {
    name,
    arms: arms.map((arm) => rowOf(arm, outcomes, seed)),
    comparisons: compared,
    conclusions: compared.map(renderConclusion),
    cautions: listCautions(
      compared,
      others.every((other) => isDeepStrictEqual(other, first)),
    ),
    outcomes: [...outcomes],
  };
}
