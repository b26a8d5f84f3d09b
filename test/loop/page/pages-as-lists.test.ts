import { renderPopulationPage, populationProgress } from '../../../src/kinds/agents/page/population-page';
import { initialPopulation } from '../../../src/kinds/agents/state/population-state';
import { renderPipelinePage } from '../../../src/kinds/pipeline/page/pipeline-page';
import { initialPipelineState } from '../../../src/kinds/pipeline/state/pipeline-progress';

describe('pages of pipelines and populations', () => {
  test('a pipeline has a line for each node, and names the keys of its state, without what loops say of themselves', () => {
    const pipeline = {
      nodes: [
        { name: 'guess', uses: 'reflection.loop' },
        { name: 'say', run: '1' },
      ] as never,
    };
    const state = initialPipelineState({ ...pipeline, state: { my_topic: 'x', reflection_output: 1 } });
    state.phase = 'running';
    Object.assign(state.nodes[0]!, { status: 'done', ms: 120, outcome: 'quality_met', workflowId: 'p/guess' });
    Object.assign(state.nodes[1]!, { status: 'running' });
    const page = renderPipelinePage(state, 'two steps');
    expect(page).toMatch(/^\*\*Running node 2 of 2, say\*\*\n\ntwo steps\n\n/);
    expect(page).toMatch(/\n- ✅ 1, guess: reflection\.loop · quality[^ ]+met · 0\.1 s · p\/guess\n- ▶ 2, say: run\n/);
    expect(page).toMatch(/\nState: my[^ ]+topic\n/);
  });

  test('a population has a line for each event, and its latest insights', () => {
    const state = initialPopulation();
    const event = { kind: 'crisis' as const, year: 3, reflected: 2 };
    state.events = [
      { ...event, number: 1, description: 'the river rose | <b>', skipped: 0 },
      { ...event, number: 2, year: 4, agentId: 'ada', skipped: 1 },
    ];
    const page = renderPopulationPage(state, populationProgress(state, 3, 'waiting'), undefined);
    expect(page).toMatch(/^\*\*Waiting for events · year 4 · 3 agents/);
    expect(page).toMatch(
      /\n- Year 3, crisis: the river rose [^\n]* · 2 reflected\n- Year 4, crisis: ada · 2 reflected, 1 did not\n/,
    );
    expect(page).not.toContain('<b>');
  });
});
