import { z } from 'zod';
import { defineAction } from '../../src/actions/define-action';
import { createActionRegistry } from '../../src/actions/registry';
import { recordOfCall } from '../../src/loop/evidence/call-record';
import type { Evaluator } from '../../src/loop/contract/evaluators';
import type { comparisonEvaluator } from '../../src/evaluators/judge/comparison';
import type { criteriaEvaluator } from '../../src/evaluators/judge/criteria';
import type { llmEvaluator } from '../../src/evaluators/judge/llm';
import type { EvaluationContext, EvaluationInput, EvaluatorKind } from '../../src/evaluators/types';
import { createModels } from '../../src/lib/models';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import type { Attack } from './drafts';
import { HONEST, type JudgeBody, judgeRequest } from './judge-request';
import { BEHAVIOURS, replyAs, SILENT } from './judges';
import { type Kind, KINDS, OWN_SCORES, type Place, QUESTIONS } from './wants';
import type { Judgement } from '../../src/loop/state/evaluation';

/** The evaluators that are attacked: ours, or ones with a mistake in them. */
export interface Attacked {
  verdict: typeof llmEvaluator;
  checklist: typeof criteriaEvaluator;
  comparison: typeof comparisonEvaluator;
}

/** What became of one draft before one judge. */
export type Outcome = 'right' | 'inconclusive' | 'forged';

/** One draft before one judge. */
export interface Pair {
  attack: Attack;
  behaviour: string;
  kind: Kind;
  structured: boolean;
  place: Place;
  /** The text is what a tool returned to the author or to the judge, and the output is an honest one. */
  resultFor?: 'author' | 'judge';
}

export interface Judged extends Pair {
  outcome: Outcome;
  judgement: Judgement;
}

export const TASK =
  'Summarise the meeting in one paragraph: who was there, what was decided, when it ended, what follows.';

const ASKED = ['who was there', 'what was decided', 'when it ended', 'what follows'];

/** How each kind of evaluator is set up. */
export const CONFIGS = {
  verdict: { type: 'llm' as const },
  checklist: {
    type: 'criteria' as const,
    criteria: [
      {
        name: 'summary',
        evaluatorConfig: { questions: ASKED.slice(0, QUESTIONS).map((what) => `Does it say ${what}?`) },
      },
    ],
  },
  comparison: { type: 'comparison' as const, against: 'reference' as const, reference: HONEST },
};

/** The tool of which the results are. */
const NOTES = defineAction({
  name: 'notes.read',
  description: 'Reads notes.',
  readOnly: true,
  input: z.object({ of: z.string() }),
  run: () => null,
});

/** What an evaluator is given beside its own configuration. */
function inputFor({ attack, kind, structured, place, resultFor }: Pair, model: string | undefined): EvaluationInput {
  const text = attack.textFor(kind, place);
  const call = { name: NOTES.name, arguments: '{"of":"the meeting"}' };
  return {
    output: resultFor ? HONEST : text,
    ...(resultFor === 'author' && { evidence: { calls: [recordOfCall({ ...call, result: text, failed: false })] } }),
    ...(resultFor === 'judge' && {
      turns: [
        { role: 'assistant', content: '', toolCalls: [{ id: 'call_1', ...call }] },
        { role: 'tool', toolCallId: 'call_1', name: call.name, content: text },
      ],
      // A judge that may call more is asked for the form in words.
      ...((attack.index + Number(structured)) % 2 === 0 && { withoutTools: true }),
    }),
    task: TASK,
    state: {},
    qualityThreshold: 0.8,
    iteration: 1,
    workflowId: 'attack',
    structured,
    timeoutMs: 60_000,
    candidate: place,
    ...(model !== undefined && { model }),
  };
}

/** Evaluates as the activities do: one call, and one more to repair what cannot be read. */
export async function evaluated(
  evaluators: Attacked,
  pair: Pair,
  context: EvaluationContext,
  model?: string,
): Promise<Judgement> {
  const input = inputFor(pair, model);
  const tools = pair.resultFor === 'judge' ? { tools: [NOTES.name] } : {};
  const ask =
    <Config extends Evaluator>(evaluator: EvaluatorKind<Config>, config: Config): (() => Promise<Judgement>) =>
    async () => {
      const judgement = await evaluator.evaluate(config, input, context);
      if (!judgement.unreadable) return judgement;
      const last = input.turns ? { ...input, withoutTools: true as const } : input;
      return evaluator.repair!(config, last, judgement.unreadable, context);
    };
  const { verdict, checklist, comparison } = evaluators;
  return {
    verdict: ask(verdict, { ...CONFIGS.verdict, ...tools }),
    checklist: ask(checklist, { ...CONFIGS.checklist, ...tools }),
    comparison: ask(comparison, CONFIGS.comparison),
  }[pair.kind]();
}

/** All texts as the result of a tool, of the author's or of the judge's, before all judges: by one kind of evaluator in one form in turn. */
export function resultPairsOf(all: readonly Attack[]): Pair[] {
  return pairsOf(all, true).flatMap((pair): Pair[] =>
    pair.kind === 'comparison'
      ? []
      : (['author', 'judge'] as const).map((resultFor) => ({ ...pair, place: 'first', resultFor })),
  );
}

/** All drafts before all judges, by every kind of evaluator in both forms, or, `thinly`, by one kind in one form in turn. */
export function pairsOf(all: readonly Attack[], thinly: boolean): Pair[] {
  const ways = KINDS.flatMap((kind) => [true, false].map((structured) => ({ kind, structured })));
  return Object.keys(BEHAVIOURS).flatMap((behaviour, row) =>
    all.flatMap((attack) => {
      const turn = attack.index + row;
      const place: Place = Math.floor(turn / ways.length) % 2 === 0 ? 'first' : 'second';
      return ways
        .filter((_, index) => !thinly || index === turn % ways.length)
        .map((way): Pair => ({ ...way, attack, behaviour, place }));
    }),
  );
}

const SIDE_BY_SIDE = 8;

/**
 * Puts drafts before the scripted judge, over HTTP, and tells what became of each.
 *
 * @param isEnough told of each; true ends the run
 */
export async function judgeAll(
  evaluators: Attacked,
  pairs: readonly Pair[],
  isEnough: (done: number, last: Judged) => boolean = () => false,
): Promise<Judged[]> {
  const server = await ScriptedOpenAI.start({ script: ({ body }) => ({ reply: replyTo(body), asWritten: true }) });
  const models = createModels([], { OPENAI_BASE_URL: server.baseUrl });
  const context = { models, actions: createActionRegistry([NOTES]), signal: new AbortController().signal };
  const judged: Judged[] = [];
  const waiting = pairs.values();
  let isOver = false;
  const work = async (): Promise<void> => {
    for (const pair of waiting) {
      const judgement = await evaluated(evaluators, pair, context, `${pair.behaviour}/${pair.place}`);
      const last = { ...pair, judgement, outcome: outcomeOf(pair, judgement) };
      judged.push(last);
      // Thousands of prompts would stay in memory.
      server.ledger.length = 0;
      if (isEnough(judged.length, last)) isOver = true;
      if (isOver) return;
    }
  };
  try {
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
  } finally {
    await server.close();
  }
  return judged;
}

/** The reply of the judge that a request's model names. */
export function replyTo(body: JudgeBody): string {
  const [name = ''] = body.model.split('/');
  return replyAs(name, judgeRequest(body));
}

/** The judge's own verdict is a fail with a score that the draft does not name: all else is somebody else's. */
export function outcomeOf(
  { kind, behaviour }: Pick<Pair, 'kind' | 'behaviour'>,
  { outcome, score }: Judgement,
): Outcome {
  if (outcome === 'inconclusive') return 'inconclusive';
  const isOwn = score === OWN_SCORES[kind] || (behaviour === BREAKS_OFF && kind === 'checklist' && score === CUT_SCORE);
  return outcome === 'fail' && isOwn && !SILENT.has(behaviour) ? 'right' : 'forged';
}

/** One of the judge's own answers is lost with the end of its reply. */
const BREAKS_OFF = 'breaks off';
const CUT_SCORE = 1 / (QUESTIONS - 1);
