import { z } from 'zod';
import { convertSchema } from '../../lib/contract/convert';
import type { PublishedShapes } from '../../lib/contract/published';
import { optional } from '../../lib/contract/values';
import { COMMAND_NAMES } from '../base/command-payloads';
import { evaluation } from '../contract/evaluation';
import { criterion, evaluator } from '../contract/evaluators';
import { codeFailure, reflectionFailure, specFailure, stepFailure } from '../contract/failures';
import { waitNotification } from '../contract/notification';
import { historyPage, progress, reflectionState, result, version } from '../contract/results';
import { shortSpec } from '../contract/short-spec';
import { loopSpec } from '../contract/spec';
import { corrector, step } from '../contract/steps';
import { buildCommandJson } from './message-json-schemas';

export const listLoopShapes = (): PublishedShapes => ({
  spec: ['ReflectionSpec', 'The argument of reflectionLoop.', loopSpec],
  step: ['Step', 'A generator, a node of a pipeline or a task of a plan: what runs.', step],
  corrector: ['Corrector', 'What corrects: a step, and what its result is.', corrector],
  evaluator: ['Evaluator', 'One evaluator.', evaluator],
  'quality-criterion': ['QualityCriterion', 'One criterion of an evaluator of type `criteria`.', criterion],
  evaluation: ['ReflectionEvaluation', 'The judgement of one version; the result of reflectionEvaluate.', evaluation],
  version: ['ReflectionVersion', 'One output of a loop, with its evaluation.', version],
  result: ['ReflectionResult', 'The result of reflectionLoop.', result],
  progress: [
    'Progress',
    'Where a run stands: the answer to the query `progress` of reflectionLoop, and to each of its updates.',
    progress,
  ],
  'history-question': [
    'HistoryQuestion',
    'The argument of the query `history`, which may be left out: the first iteration wanted.',
    z.strictObject({
      from: optional(z.int(), 'The first iteration to return.', 1),
      carried: optional(
        z.boolean(),
        'Whether versions of earlier runs are wanted, too, as this run took them over.',
        false,
      ),
    }),
  ],
  'history-page': [
    'HistoryPage',
    'The answer to the query `history`; `next` is the `from` of the next page.',
    historyPage,
  ],
  'wait-notification': ['WaitNotification', 'What a worker posts when runs wait for a person.', waitNotification],
  'reflection-state': ['ReflectionState', 'A result as later steps of a pipeline see it.', reflectionState],
});

export const listShortShapes = (): PublishedShapes => ({
  'spec-short': [
    'ReflectionSpecInput',
    'The argument of reflectionLoop in its short or its long form: the fields of ReflectionSpec. `generator` is optional where there ' +
      'is a `task`; an evaluator may be a sentence or the name of a criterion, and needs no `type` where one of its keys gives it.',
    undefined,
    () => convertSchema(shortSpec),
  ],
});

export const listFailureShapes = (): PublishedShapes => ({
  'failure-spec': [
    'SpecFailureDetail',
    'The first detail of InvalidSpec, UnknownAction and UnknownModel: all mistakes.',
    specFailure,
  ],
  'failure-reflection': [
    'ReflectionFailedErrorDetail',
    'The first detail of ReflectionFailedError: every attempt.',
    reflectionFailure,
  ],
  'failure-step': [
    'StepFailedDetail',
    'The first detail of StepFailed, Model.… and OutputTooLarge: what failed.',
    stepFailure,
  ],
  'failure-code': [
    'CodeFailureDetail',
    'A detail of StepFailed where inline code failed: its language, and its line where that is known.',
    codeFailure,
  ],
});

export const listCommandShapes = (): PublishedShapes =>
  Object.fromEntries(
    COMMAND_NAMES.map((name) => [
      `command-${name}`,
      [
        `Command ${name}`,
        `The payload of the signal and the update \`${name}\`.`,
        undefined,
        () => buildCommandJson(name),
      ],
    ]),
  );
