import { eventually } from '../../support/eventually';
import type { Scenario, Stage } from '../scenario';
import { answering, bad, good, hang, modelled } from './specs';

const LONG_MS = 60_000;

/** Waits until the loop waits for the review of a version. */
async function waits({ client, workflowId }: Stage, iteration: number): Promise<void> {
  await eventually(
    // Nobody answers while one run of a chain makes room for the next.
    () => client.progress(workflowId).catch(() => undefined),
    (progress) => progress?.phase === 'waiting' && progress.iteration === iteration,
    LONG_MS,
  );
}

const exhausted = { when: 'on_exhausted', timeout: '1d' } as const;

const reviewed = answering([bad], { maxIterations: 1, review: exhausted });
const given = { action: 'answers', with: { list: [good] } };
const signs = (name: string) => ({ name, ...given, output: name });

/** Accepts what the loop of a pipeline or a plan made. */
async function acceptsDraft(stage: Stage): Promise<void> {
  const draft = { ...stage, workflowId: `${stage.workflowId}/draft` };
  await waits(draft, 1);
  await stage.client.accept(draft.workflowId, { by: 'reviewer' });
}

/** Loops that wait for a person, and what people do to a loop's course. */
export const reviews: Scenario[] = [
  {
    name: 'review-accepted',
    ends: 'user_accepted',
    spec: answering([bad, bad], { maxIterations: 2, review: exhausted }),
    async meanwhile(stage) {
      await waits(stage, 2);
      await stage.client.accept(stage.workflowId, { iteration: 2, by: 'reviewer' });
    },
  },
  {
    name: 'wait-told',
    ends: 'max_iterations',
    world: 'told',
    spec: answering([bad], { maxIterations: 1, review: { when: 'on_exhausted', timeout: 4_000 } }),
  },
  {
    name: 'wait-told-and-answered',
    ends: 'user_accepted',
    world: 'told',
    spec: answering([bad, bad], { maxIterations: 2, review: { when: 'every_iteration', timeout: '1d' } }),
    async meanwhile(stage) {
      await waits(stage, 1);
      await stage.client.decide(stage.workflowId, { iteration: 1, decision: 'continue', by: 'reviewer' });
      await waits(stage, 2);
      await stage.client.accept(stage.workflowId, { by: 'reviewer' });
    },
  },
  {
    name: 'wait-told-handed-over',
    ends: 'user_accepted',
    world: 'told',
    spec: answering([bad], { maxIterations: 1, review: exhausted }),
    async meanwhile(stage) {
      const { client, workflowId, handle } = stage;
      await waits(stage, 1);
      for (let sent = 0; sent < 20; sent += 1) {
        await handle.signal('accept', { iteration: 7 });
        await client.progress(workflowId).catch(() => undefined);
      }
      await waits(stage, 1);
      await client.accept(workflowId, { by: 'reviewer' });
    },
  },
  {
    name: 'review-timeout-accepts',
    ends: 'review_timeout',
    spec: answering([bad, bad], {
      maxIterations: 2,
      review: { when: 'on_exhausted', timeout: 500, onTimeout: 'accept' },
    }),
  },
  {
    name: 'review-timeout-stops',
    ends: 'stopped',
    spec: answering([bad, bad], { maxIterations: 2, review: { when: 'every_iteration', timeout: 500 } }),
  },
  {
    name: 'review-timeout-fails',
    ends: 'ReflectionFailedError',
    spec: answering([good], { review: { when: 'on_satisfactory', timeout: 500, onTimeout: 'fail' } }),
  },
  {
    name: 'review-guided-and-decided',
    ends: 'stopped',
    spec: answering([bad, bad, bad], { maxIterations: 4, review: { when: 'every_iteration', timeout: '1d' } }),
    async meanwhile(stage) {
      const { client, workflowId } = stage;
      await waits(stage, 1);
      await client.guide(workflowId, { text: 'Think of the age.', by: 'reviewer' });
      await waits(stage, 2);
      await client.decide(workflowId, { iteration: 2, decision: 'continue' });
      await waits(stage, 3);
      await client.decide(workflowId, { iteration: 3, decision: 'stop' });
    },
  },
  {
    name: 'review-extended-and-overridden',
    ends: 'quality_met',
    spec: answering([bad, bad], { maxIterations: 1, review: exhausted }),
    async meanwhile(stage) {
      const { client, workflowId, handle } = stage;
      await waits(stage, 1);
      await client.guide(workflowId, { text: 'Once more.' });
      await client.extend(workflowId, { iterations: 1 });
      await waits(stage, 2);
      await handle.signal('override', { output: bad, by: 'reviewer' });
      await waits(stage, 3);
      await client.reflect(workflowId, { by: 'reviewer' });
      await waits(stage, 3);
      await client.override(workflowId, { output: good, by: 'reviewer' });
    },
  },
  {
    name: 'review-after-failure',
    ends: 'quality_met',
    spec: answering([bad, good], { review: exhausted }, 2),
    async meanwhile(stage) {
      await waits(stage, 1);
      await stage.client.decide(stage.workflowId, { iteration: 1, decision: 'continue' });
      await waits(stage, 1);
      await stage.client.override(stage.workflowId, { output: good });
    },
  },
  {
    name: 'override-in-call',
    ends: 'quality_met',
    spec: modelled('override-in-call'),
    script: [{ reply: bad }, { reply: bad }, hang],
    async meanwhile({ asked, client, workflowId }) {
      await asked(3);
      await client.guide(workflowId, { text: 'Unheard.' });
      await client.override(workflowId, { output: good, by: 'reviewer' });
    },
  },
  {
    name: 'reflect-in-call',
    ends: 'stopped',
    spec: modelled('reflect-in-call'),
    script: [{ reply: bad }, { reply: bad }, hang],
    async meanwhile(stage) {
      const { asked, client, workflowId } = stage;
      await asked(3);
      await client.reflect(workflowId, { by: 'reviewer' });
      await asked(4);
      await client.decide(workflowId, { iteration: 2, decision: 'stop' });
    },
  },
  {
    name: 'review-handed-over',
    ends: 'user_accepted',
    world: 'versioned',
    spec: answering([bad, bad], { maxIterations: 1, review: exhausted }),
    async meanwhile(stage) {
      await waits(stage, 1);
      await stage.client.extend(stage.workflowId, { iterations: 1 });
      await waits(stage, 2);
      await stage.client.accept(stage.workflowId, { by: 'reviewer' });
    },
  },
  {
    name: 'pipeline-handed-over',
    type: 'reflectionPipeline',
    ends: 'completed',
    world: 'versioned',
    spec: { nodes: [signs('before'), { name: 'draft', uses: 'reflection.loop', with: reviewed }, signs('after')] },
    meanwhile: acceptsDraft,
  },
  {
    name: 'plan-handed-over',
    type: 'planReflection',
    ends: 'completed',
    world: 'versioned',
    spec: {
      goal: 'Wait for a person',
      enableLlmReflection: false,
      plan: {
        id: 'waits',
        tasks: [
          { id: 'before', description: 'Do before', step: given },
          { id: 'draft', description: 'Do draft', step: { loop: reviewed }, dependsOn: ['before'] },
          { id: 'after', description: 'Do after', step: given, dependsOn: ['draft'] },
        ],
      },
    },
    meanwhile: acceptsDraft,
  },
];
