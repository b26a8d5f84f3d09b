import { eventually } from '../../support/eventually';
import type { Scenario, Stage } from '../scenario';
import { answering, bad, good, PERSON } from './specs';

const type = 'reflectionPipeline';
const gives = (value: object) => ({ action: 'answers', with: { list: [value] } });
const loop = (list: object[], more: object = {}) => ({
  uses: 'reflection.loop',
  with: { ...answering(list as never), ...more },
});
const stuck = {
  nodes: [
    {
      name: 'stuck',
      uses: 'reflection.loop',
      with: { ...answering([good]), generator: { action: 'counts', with: { stuckAt: 1 } } },
    },
    { name: 'after', ...gives({ after: true }) },
  ],
};

/** Waits until the loop of the pipeline `stuck` is at its generator. */
async function generating({ client, workflowId }: Stage): Promise<void> {
  const child = client.temporal.workflow.getHandle(`${workflowId}/stuck`);
  await eventually(
    () => child.query<{ phase: string }>('progress').catch(() => undefined),
    (progress) => progress?.phase === 'generating',
    30_000,
  );
}

/** What nodes of every kind leave in a history, and how a pipeline ends early. */
export const pipelines: Scenario[] = [
  {
    name: 'pipeline-late-parameters',
    type,
    ends: 'completed',
    spec: {
      state: { shape: PERSON },
      nodes: [
        { name: 'loop', ...loop([bad, good], { evaluator: { type: 'schema', schema: '{{ state.shape }}' } }) },
        {
          name: 'check',
          uses: 'reflection.evaluate',
          with: { evaluator: { type: 'schema', schema: '{{ state.shape }}' } },
          output: 'check',
        },
      ],
    },
  },
  {
    name: 'pipeline-chain',
    type,
    ends: 'completed',
    world: 'impatient',
    spec: {
      nodes: Array.from({ length: 8 }, (_, index) => ({ name: `n${index}`, ...gives({ [`n${index}`]: index }) })),
    },
  },
  {
    name: 'pipeline-nodes',
    type,
    ends: 'completed',
    script: [{ reply: 'a word' }],
    spec: {
      state: { tries: 2 },
      nodes: [
        { name: 'given', ...gives({ draft: bad }) },
        { name: 'loop', ...loop([bad, good], { maxIterations: '{{ state.tries }}' }), output: 'person' },
        {
          name: 'check',
          uses: 'reflection.evaluate',
          with: { evaluator: { type: 'schema', schema: PERSON }, data: '{{ state.draft }}' },
          output: 'check',
        },
        {
          name: 'mend',
          uses: 'reflection.correct',
          with: { corrector: { action: 'repairs' }, errors: '{{ state.check.errors }}' },
        },
        {
          name: 'word',
          uses: 'llm.call',
          with: { model: 'pipeline-nodes', prompt: 'Say {{ state.person.name }}.' },
          output: 'word',
        },
      ],
    },
  },
  {
    name: 'pipeline-second-judge',
    type,
    ends: 'completed',
    script: [{ reply: { score: 0.85, issues: [] } }, { reply: { score: 0.9, issues: [] } }],
    spec: {
      state: { word: 'kind' },
      nodes: [
        {
          name: 'loop',
          ...loop([good], {
            evaluator: { type: 'llm', model: 'pipeline-second-judge' },
            judge: {
              second: { type: 'llm', model: 'pipeline-second-judge', prompt: 'Is it {{ state.word }}?' },
            },
          }),
        },
      ],
    },
  },
  {
    name: 'pipeline-raises',
    type,
    ends: 'ReflectionFailedError',
    spec: { nodes: [{ name: 'loop', ...loop([bad], { onFailure: 'raise', maxIterations: 2 }) }] },
  },
  {
    name: 'pipeline-node-fails',
    type,
    ends: 'StepFailed',
    spec: { nodes: [{ name: 'breaks', action: 'answers', with: { list: [1], failAt: 1 } }] },
  },
  { name: 'pipeline-invalid', type, ends: 'InvalidSpec', spec: { nodes: [{ name: 'nothing' }] } },
  {
    name: 'pipeline-cancelled',
    type,
    ends: 'Cancelled',
    spec: stuck,
    async meanwhile(stage) {
      await generating(stage);
      await stage.handle.cancel();
    },
  },
  {
    name: 'pipeline-loop-aborted',
    type,
    ends: 'completed',
    spec: stuck,
    async meanwhile(stage) {
      await generating(stage);
      await stage.client.abort(`${stage.workflowId}/stuck`);
    },
  },
];
