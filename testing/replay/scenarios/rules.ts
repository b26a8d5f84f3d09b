import { eventually } from '../../support/eventually';
import type { Scenario, Stage } from '../scenario';
import { answering, bad, flat, good, judged, judgement, vivid, written } from './specs';

/** Waits until the loop waits for a review, with a version as the latest one. */
async function waits({ client, workflowId }: Stage, iteration: number): Promise<void> {
  await eventually(
    () => client.progress(workflowId).catch(() => undefined),
    (progress) => progress?.phase === 'waiting' && progress.iteration === iteration,
    60_000,
  );
}

const reviewed = { when: 'every_iteration', timeout: '1d' } as const;

const unsigned = {
  ...flat,
  issues: [{ message: 'its poet has not agreed', severity: 'major', blocker: 'permission' }],
};

/** Decisions about versions, reviews and chains that show in a result. */
export const ruled: Scenario[] = [
  {
    name: 'ruled-guided-version',
    ends: 'user_accepted',
    spec: answering([good, bad], { maxIterations: 4, review: reviewed }),
    async meanwhile(stage) {
      await waits(stage, 1);
      await stage.client.guide(stage.workflowId, { text: 'Leave the age out.', by: 'reviewer' });
      await waits(stage, 2);
      // The second version, although the first is the best.
      await stage.handle.signal('accept', { by: 'reviewer' });
    },
  },
  {
    name: 'ruled-best-version',
    ends: 'user_accepted',
    spec: answering([good, bad], { maxIterations: 4, review: reviewed }),
    async meanwhile(stage) {
      await waits(stage, 1);
      await stage.client.guide(stage.workflowId, { text: 'Leave the age out.', by: 'reviewer' });
      await waits(stage, 2);
      await stage.handle.signal('accept', { by: 'reviewer', best: true });
    },
  },
  {
    name: 'ruled-two-reviewers',
    ends: 'stopped',
    spec: answering([bad, bad], { maxIterations: 4, review: reviewed }),
    async meanwhile(stage) {
      await waits(stage, 1);
      await stage.handle.signal('guide', { text: 'Think of the age.', by: 'Ada' });
      await stage.handle.signal('accept', { by: 'Bob' });
      await waits(stage, 2);
      await stage.client.decide(stage.workflowId, { iteration: 2, decision: 'stop' });
    },
  },
  {
    name: 'ruled-silence',
    ends: 'review_timeout',
    spec: answering([good, bad], {
      maxIterations: 2,
      review: { when: 'every_iteration', timeout: 4_000, onTimeout: 'accept' },
    }),
    async meanwhile(stage) {
      await waits(stage, 1);
      await stage.client.guide(stage.workflowId, { text: 'Leave the age out.', by: 'reviewer' });
    },
  },
  {
    name: 'ruled-gate-first',
    ends: 'blocked',
    spec: {
      model: 'ruled-gate-first',
      generator: { action: 'answers', with: { list: [{ date: 'May' }, { text: 'soon' }] } },
      evaluator: [
        { type: 'schema', name: 'no date', gate: true, schema: { not: { required: ['date'] } } },
        { type: 'llm', prompt: 'You judge promises. Is this one clear?' },
      ],
      maxIterations: 3,
    },
    script: [judgement({ status: 401, times: 2 })],
  },
  {
    name: 'ruled-unjudged-last',
    ends: 'blocked',
    spec: judged('ruled-unjudged-last', { maxIterations: 1 }),
    script: [written({ reply: 'poem' }), judgement({ status: 401, times: 2 })],
  },
  {
    name: 'ruled-fewer-faults',
    ends: 'quality_met',
    spec: {
      generator: { action: 'counts' },
      evaluator: { type: 'function', action: 'finds' },
      maxIterations: 8,
    },
  },
  {
    name: 'ruled-short-text',
    ends: 'quality_met',
    spec: judged('ruled-short-text'),
    script: [
      written({ reply: 'first poem' }),
      judgement({ reply: flat }),
      written({ reply: 'first poem' }),
      judgement({ reply: flat }),
      written({ reply: 'second poem' }),
      judgement({ reply: vivid }),
    ],
  },
  {
    name: 'ruled-own',
    type: 'ownRuled',
    world: 'embedded',
    ends: 'stopped',
    spec: { specs: [answering([good, bad, bad, bad], { maxIterations: 4 })], words: ['continue', 'auto', 'stop'] },
  },
  {
    name: 'ruled-blocked-by-two',
    ends: 'blocked',
    spec: judged('ruled-blocked-by-two', {
      judge: { second: { type: 'llm', prompt: 'You doubt poems.\n{{ state.reflection_output }}' } },
    }),
    script: [written({ reply: 'poem' }), judgement({ reply: unsigned }), { match: 'You doubt', reply: unsigned }],
  },
];
