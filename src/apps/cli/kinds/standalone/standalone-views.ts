import { makeShow, type RunView } from '../../show/run-view';
import { type Json, textOf } from '../../../../lib/json/json';
import type { CorrectionRequest, EvaluationRequest } from '../../../../loop/contract/requests';
import { correctionText, evaluationText } from './evaluate-correct-view';
import { followOnce } from './follow-once';

const STANDALONE = {
  noOutput: (status: string): [string, string] => [
    `The run has no output: it is ${status}.`,
    'Look at it without --output.',
  ],
  standing: (_progress: unknown, { elapsed }: { elapsed?: string }) => [`under way for ${elapsed}`],
};

/** How the command shows and follows one evaluation. */
export const evaluationView: RunView<EvaluationRequest> = {
  cancelled: '',
  shown: makeShow(({ evaluations }) => evaluations, {
    ...STANDALONE,
    label: 'one evaluation',
    // Wire types are JSON by construction; TypeScript cannot see that an interface has no other members.
    output: ({ result }) => result && textOf(result as unknown as Json),
    resultText: evaluationText,
  }),
  async follow(client, run, news, signal) {
    const ended = { result: client.evaluations.result(run), doing: 'evaluating' };
    const result = await followOnce(client, run, ended, news, signal);
    return { result, text: evaluationText(result), outcome: result.satisfactory ? 'success' : 'notGoodEnough' };
  },
};

/** How the command shows and follows one correction. */
export const correctionView: RunView<CorrectionRequest> = {
  cancelled: '',
  shown: makeShow(({ corrections }) => corrections, {
    ...STANDALONE,
    label: 'one correction',
    output: ({ result }) => result && textOf(result.output),
    resultText: correctionText,
  }),
  async follow(client, run, news, signal) {
    const ended = { result: client.corrections.result(run), doing: 'correcting' };
    const result = await followOnce(client, run, ended, news, signal);
    return { result, text: correctionText(result), outcome: 'success' };
  },
};
