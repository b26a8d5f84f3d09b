import { criteriaEvaluator } from '../../../src/evaluators/judge/criteria';
import { llmEvaluator } from '../../../src/evaluators/judge/llm';
import { estimateTokens } from '../../../src/lib/models/tokens/estimated-tokens';
import { TASK_TYPES } from '../../../src/loop/base/choices';
import { judgeInput, type ScriptedWorld, withJudge } from '../scripted-judge';

const INPUT = judgeInput({
  task: 'Write a release note of at most two sentences: exports are streamed, so that large ones no longer fail.',
  output:
    'Exports are streamed to the client piece by piece. Large exports, which used to fail, complete without errors.',
});
const FINDINGS = [
  'It names the change and what it does',
  'Each sentence says one thing',
  'The second follows from the first',
  'Two sentences, in a neutral voice',
];
const FAULT = {
  severity: 'major',
  path: null,
  suggestion: 'Leave "piece by piece" out, or say where it is from.',
  missingInformation: false,
};
const WRONG = 'That it is sent piece by piece does not stand in the task.';

/** A short reply in the form that a prompt asks for, with one fault or none. */
function replyTo(prompt: string, isGood: boolean): string {
  const code = / is: ([\da-f]{16})$/.exec(prompt)![1];
  const questions = [...prompt.matchAll(/^(q\d+)\. /gm)].map(([, id]) => id);
  if (questions.length === 0) {
    const reason = `${FINDINGS[0]}, in two sentences, as the task asks.${isGood ? '' : ` ${WRONG}`}`;
    const issues = isGood ? [] : [{ message: WRONG, criterion: null, ...FAULT }];
    return JSON.stringify({ code, reason, issues, suggestions: [], score: 0.9, valid: isGood, confidence: 0.9 });
  }
  const answers = questions.map((question, index) =>
    index === 0 && !isGood
      ? { question, finding: WRONG, answer: 'no', ...FAULT }
      : { question, finding: FINDINGS[index % FINDINGS.length], answer: 'yes' },
  );
  return JSON.stringify({ code, answers, confidence: 0.9 });
}

/** Tokens of a prompt and of the reply to it. */
async function tokensOf(
  isGood: boolean,
  judge: (world: Omit<ScriptedWorld, 'bodies' | 'said'>) => Promise<{ outcome: string }>,
): Promise<number> {
  let exchange = '';
  const outcome = await withJudge(
    ({ body }) => {
      const prompt = body.messages.map(({ content }) => content).join('\n');
      const reply = replyTo(prompt, isGood);
      exchange = `${prompt}\n${reply}`;
      return { reply, asWritten: true };
    },
    async (world) => (await judge(world)).outcome,
  );
  expect(outcome).toBe(isGood ? 'pass' : 'fail');
  return estimateTokens(exchange);
}

describe.each([true, false])('the tokens of the default criteria, given an output that passes: %j', (isGood) => {
  test.each(TASK_TYPES)('for %s they are at most 1.2 times those of a judge that gives a verdict', async (taskType) => {
    const verdict = await tokensOf(isGood, (world) => llmEvaluator.evaluate({ type: 'llm' }, INPUT, world));
    const criteria = await tokensOf(isGood, (world) =>
      criteriaEvaluator.evaluate({ type: 'criteria', taskType }, INPUT, world),
    );
    expect(criteria / verdict).toBeLessThanOrEqual(1.2);
  });
});
