import path from 'node:path';
import type { ReflectionClient } from '../../../client';
import type { TemporalOverrides } from '../../../lib/config';
import { JUDGE_SET_NAMES } from '../../../loop/base/choices';
import { runConcurrently } from '../../../lib/base/concurrently';
import { type Calibration, calibrationOf, type OutputCalibration } from '../../../loop/evaluation/calibration';
import type { ReflectionEvaluation } from '../../../loop/contract/evaluation';
import type { EvaluationRequest } from '../../../loop/contract/requests';
import { renderRate } from '../../experiment/conclusion-text';
import { estimateRate } from '../../experiment/statistics';
import { parseCalibrationFile, parseLabels } from '../../yaml';
import { CliError } from '../support/cli-error';
import { withClient } from '../support/connect';
import { withFileLocation } from '../support/with-file-location';
import { warnWithoutWorker } from '../support/pollers';
import { count } from '../views/printable';
import { printText, printAside, writeJson } from '../terminal/say';
import { plainTable } from '../terminal/table';
import { unreadLines } from '../views/unread-view';
import { readText, tellWarnings } from '../support/run-input';
import { roundPercent } from '../../../lib/text/percent';

interface CalibrateOptions extends TemporalOverrides {
  times: number;
  labels?: string;
  json?: boolean;
  strict?: boolean;
}

const SIDE_BY_SIDE = 8;
/** The most judgements: a higher number is a typing error that would cost much. */
const MOST_JUDGEMENTS = 1_000;

const CALIBRATIONS = path.join(__dirname, '..', '..', '..', '..', 'examples', 'judges');

/** Returns the calibration file of a built-in set and the labels beside it, if a set is named; else the file itself. */
export function calibrationFiles(file: string, labels: string | undefined): { file: string; labels?: string } {
  if (!(JUDGE_SET_NAMES as readonly string[]).includes(file))
    return { file, ...(labels === undefined ? {} : { labels }) };
  const base = path.join(CALIBRATIONS, file.replace('@', '-'));
  return { file: `${base}.yaml`, labels: labels ?? `${base}.labels.json` };
}

export async function calibrate(fileOrSet: string, options: CalibrateOptions): Promise<number> {
  const files = calibrationFiles(fileOrSet, options.labels);
  const read = parseCalibrationFile(...(await readText(files.file)));
  const { request: requests } = read;
  tellWarnings(read, options);
  const labels = files.labels === undefined ? [] : parseLabels(...(await readText(files.labels)), requests.length);
  const judgements = requests.length * options.times;
  if (options.times < 1 || judgements > MOST_JUDGEMENTS) {
    const what = `${count(requests.length, 'output')} × ${options.times} is ${judgements}`;
    throw new CliError('InvalidInput', `${what} judgements: there must be 1 to ${MOST_JUDGEMENTS}.`, 'Change --times.');
  }
  return withClient(options, async (client) => {
    await warnWithoutWorker(client, printAside);
    const evaluations = await judgedOften(client, requests, options.times).catch((error: unknown) => {
      throw withFileLocation(error, read);
    });
    const calibration = calibrationOf(evaluations, labels);
    if (options.json) writeJson(calibration);
    else printText(calibrationText(calibration));
    return 0;
  });
}

/** Judges each output `times` times. The first failure ends it: a problem of the file fails all of them. */
async function judgedOften(
  client: ReflectionClient,
  requests: EvaluationRequest[],
  times: number,
): Promise<ReflectionEvaluation[][]> {
  const evaluations: ReflectionEvaluation[][] = requests.map(() => []);
  const left = Array.from({ length: times }, () => [...requests.keys()]).flat();
  await runConcurrently(left, SIDE_BY_SIDE, async (index) => {
    evaluations[index]!.push(await client.evaluations.run(requests[index]!));
  });
  return evaluations;
}

function number(value: number | null, signed = false): string {
  if (value === null) return '–';
  const sign = value < 0 ? '−' : signed ? '+' : '';
  return `${sign}${Math.abs(value).toFixed(2)}`;
}

function renderPercent(share: number | null): string {
  return share === null ? '–' : `${roundPercent(share)} %`;
}

function rateText({ count: wrong, of }: Calibration['falsePasses']): string {
  return renderRate(estimateRate(wrong, of));
}

function rowOf({ output, passes, fails, inconclusive, ...row }: OutputCalibration): string[] {
  const { mean, spread, agreement, label, bias, right } = row;
  return [
    String(output),
    number(mean),
    number(spread),
    renderPercent(agreement),
    `${passes}/${fails}/${inconclusive}`,
    label === undefined || label === null ? '–' : String(label),
    number(bias, true),
    renderPercent(right),
  ];
}

function calibrationText(calibration: Calibration): string {
  const { outputs, judgements, inconclusive, repaired, spread, agreement, bias, error, right } = calibration;
  const { falsePasses, falseFails } = calibration;
  const unread = outputs.flatMap(({ output, unreadReplies }) =>
    unreadReplies.map((each) => ({ ...each, place: `output ${output}` })),
  );
  const head = ['output', 'mean', 'spread', 'within 0.1', 'pass/fail/?', 'label', 'bias', 'right'];
  return [
    plainTable(head, outputs.map(rowOf), { spare: ['right', 'spread', 'bias'] }),
    '',
    `${count(judgements, 'judgement')}, ${inconclusive} of them inconclusive; ${repaired} read after repair`,
    `agreement: ${renderPercent(agreement)} of the pairs of scores of the same output are within 0.1; mean spread ${number(spread)}`,
    ...(bias === null ? [] : [`against the labels: bias ${number(bias, true)}, mean error ${number(error)}`]),
    ...(right === null ? [] : [`verdicts that agree with the labels: ${renderPercent(right)}`]),
    ...(falsePasses.of === 0 ? [] : [`outputs labelled false that passed: ${rateText(falsePasses)}`]),
    ...(falseFails.of === 0 ? [] : [`outputs labelled true that failed: ${rateText(falseFails)}`]),
    ...(unread.length > 0 ? ['', ...unreadLines(unread)] : []),
  ].join('\n');
}
