import { initialPopulation } from '../../../src/kinds/agents/state/population-state';
import { boundedProblems, boundedText } from '../../../src/loop/evaluation/bounded';
import { renderConclusion } from '../../../src/apps/experiment/conclusion-text';
import { spendingText } from '../../../src/loop/limits/budget';
import { renderBatchLine } from '../../../src/kinds/batch/page/batch-page';
import { renderPipelineStatus } from '../../../src/kinds/pipeline/page/pipeline-page';
import { renderPopulationPage, populationProgress } from '../../../src/kinds/agents/page/population-page';
import { initialPipelineState } from '../../../src/kinds/pipeline/state/pipeline-progress';
import { renderCount } from '../../../src/lib/text/counted';

test.each([
  [0, undefined, '0 agents'],
  [1, undefined, '1 agent'],
  [1000, '1,000', '1,000 agents'],
])('counts %d', (count, written, text) => {
  expect(renderCount(count, 'agent', written)).toBe(text);
});

test('what is told of one thing is told in the singular', () => {
  const population = initialPopulation();
  population.counts = { ...population.counts, events: 1, reflections: 1 };
  expect(renderPopulationPage(population, populationProgress(population, 1, 'waiting'), undefined)).toMatch(
    /· 1 agent · 1 reflection upon 1 event\*\*\n\n1 earlier event is not shown\.\n/,
  );
  expect(renderBatchLine({ pages: [1] } as never)).toMatch(/ · 1 item · /);
  const pipeline = initialPipelineState({ nodes: [{ name: 'say', run: '1' }] as never });
  expect(renderPipelineStatus({ ...pipeline, phase: 'done' })).toBe('Ended: 1 node done');
  const usage = { totalTokens: 1, modelCalls: 1, usd: 0 } as never;
  expect(spendingText(usage, undefined)).toBe('1 token in 1 model call');
  // The noun goes with the limit, beside which it stands.
  expect(spendingText(usage, { tokens: 500, modelCalls: 1 })).toBe('1 of 500 tokens in 1 of 1 model call');
  expect(
    renderConclusion({ conclusion: 'undecided', cases: 1, p: 1, tokens: 1, difference: { value: 1 } } as never),
  ).toContain('but 1 case does not show it');
  const problems = boundedProblems(Array.from({ length: 101 }, () => ({ path: '', message: 'no' })));
  expect(problems.at(-1)!.message).toBe('1 more mistake is not listed');
  expect(boundedText('x'.repeat(9), 8)).toContain('1 more character)');
});
