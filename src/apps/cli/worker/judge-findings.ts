import type { EvaluationRequest } from '../../../loop/contract/requests';
import { calibrationOf } from '../../../loop/evaluation/calibration';
import type { ModelConfig } from '../../../worker';
import { keepJudgeRecord, type JudgeRecord, RELIABLE } from '../../../worker/running/judge-records';
import { type TriedJudge, tryJudge } from '../../../worker/running/try-judge';
import { renderRate } from '../../experiment/conclusion-text';
import { estimateRate } from '../../experiment/statistics';
import { parseCalibrationFile, parseLabels } from '../../yaml';
import { calibrationFiles } from '../commands/calibrate';
import { readText } from '../support/run-input';
import type { Finding } from './model-findings';

/** A right and a wrong output of each built-in set, by place. Where they change, `JUDGE_CHECK` gets another name. */
const OUTPUTS: readonly [set: string, right: number, wrong: number][] = [
  ['faithfulness@1', 1, 7],
  ['instruction-following@1', 1, 8],
  ['code-review@1', 1, 6],
  ['summary@1', 1, 5],
  ['translation@1', 1, 4],
  ['tone@1', 1, 4],
];

interface KnownOutput {
  request: EvaluationRequest;
  label: boolean;
}

export async function readKnownOutputs(): Promise<KnownOutput[]> {
  const known: KnownOutput[] = [];
  for (const [set, ...places] of OUTPUTS) {
    const { file, labels: labelFile } = calibrationFiles(set, undefined);
    const { request: requests } = parseCalibrationFile(...(await readText(file)));
    const labels = parseLabels(...(await readText(labelFile!)), requests.length);
    known.push(...places.map((place) => ({ request: requests[place - 1]!, label: labels[place - 1] === true })));
  }
  return known;
}

/** Right verdicts of 12 from which a judge is more than a guess: one that guesses has as many in 19 of 100 trials. */
const DOUBTFUL = 8;

const OWN_OUTPUTS = '`npx reflect calibrate` with outputs of yours tells more.';
const INSTEAD = 'Use another model as judge (`judge.model`), or checks that need no model: a schema, a pattern, code.';

function recordOf({ evaluations }: Extract<TriedJudge, { evaluations: unknown }>, labels: boolean[]): JudgeRecord {
  const { outputs, falsePasses, falseFails, inconclusive } = calibrationOf(
    evaluations.map((each) => [each]),
    labels,
  );
  return {
    at: new Date().toISOString(),
    right: outputs.filter(({ right }) => right === 1).length,
    of: outputs.length,
    falsePasses: falsePasses.count,
    falseFails: falseFails.count,
    unjudged: inconclusive,
  };
}

function findingOf({ endpoint, model }: TriedJudge, record: JudgeRecord, labels: boolean[]): Finding {
  const { right, of, falsePasses, falseFails, unjudged } = record;
  const rightOutputs = labels.filter(Boolean).length;
  const parts = [
    `${falsePasses} of ${of - rightOutputs} wrong ones passed`,
    `${falseFails} of ${rightOutputs} right ones failed`,
    ...(unjudged > 0 ? [`${unjudged} could not be judged`] : []),
  ];
  const advice =
    right >= DOUBTFUL
      ? `It is wrong often. Ask yes/no questions (criteria), give it examples or votes. ${OWN_OUTPUTS}`
      : `A coin would be as good. ${INSTEAD}`;
  return {
    well: right >= DOUBTFUL,
    ...(right >= DOUBTFUL && right < RELIABLE && { isDoubtful: true as const }),
    text: `Judge ${model} at ${endpoint}: right for ${renderRate(estimateRate(right, of))} outputs whose verdict is known; ${parts.join(', ')}`,
    advice,
  };
}

/**
 * Lets a model judge the outputs of the check, 12 calls, and keeps the result for this user's workers.
 * @param configs the models of a file; undefined: those of the environment
 * @param name of the judge. Default: the model that a worker calls by default
 */
export async function judgeFindings(configs: readonly ModelConfig[] | undefined, name?: string): Promise<Finding[]> {
  const known = await readKnownOutputs();
  const requests = known.map(({ request }) => request);
  const labels = known.map(({ label }) => label);
  const tried = await tryJudge(requests, process.env, configs, name);
  if ('type' in tried) {
    const advice = 'It was not tried as a judge. Check the name of the model, its endpoint and its key.';
    return [
      { well: false, text: `A judgement of ${tried.model} fails as Model.${tried.type}: ${tried.message}`, advice },
    ];
  }
  const record = recordOf(tried, labels);
  const finding = findingOf(tried, record, labels);
  try {
    await keepJudgeRecord(tried, record, process.env);
    return [finding];
  } catch (error) {
    const text = `The result is not kept, so workers will warn of this judge: ${(error as Error).message}`;
    return [
      finding,
      { well: true, isDoubtful: true, text, advice: 'Set XDG_CACHE_HOME to a folder that can be written.' },
    ];
  }
}
