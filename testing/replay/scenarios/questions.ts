import { eventually } from '../../support/eventually';
import type { Scenario, Stage } from '../scenario';
import { flat, judged, judgement, vivid, written } from './specs';

const LONG_MS = 60_000;

/** Waits until the loop waits for an answer. */
async function isAsked({ client, workflowId }: Stage, id: string): Promise<void> {
  await eventually(
    // No run answers while one run of a chain makes room for the next.
    () => client.progress(workflowId).catch(() => undefined),
    (progress) => progress?.phase === 'waiting' && progress.waitingFor?.waits?.some((wait) => wait.id === id) === true,
    LONG_MS,
  );
}

const generator = {
  action: 'llm.call',
  system: 'You write poems.',
  prompt: '{{ task }}',
  tools: ['counts', 'pays', 'ask_person'],
} as const;
const asks = { name: 'ask_person', arguments: { question: 'Rain where?' } };
const asksWhen = { name: 'ask_person', arguments: { question: 'Rain when?' } };
const pays = (amount: number) => ({ name: 'pays', arguments: { amount } });
const calls = (...toolCalls: { name: string; arguments: object }[]) => written({ toolCalls } as never);

/** Steps that wait for the answer or the approval of a person. */
export const questions: Scenario[] = [
  {
    name: 'question-handed-over',
    ends: 'quality_met',
    world: 'versioned',
    spec: judged('question-handed-over', { generator }),
    script: [
      calls(asks, { name: 'counts', arguments: {} }),
      calls(asksWhen),
      written({ reply: 'poem' }),
      judgement({ reply: vivid }),
    ],
    async meanwhile(stage) {
      await isAsked(stage, 'question-1');
      await stage.client.answer(stage.workflowId, { to: 'question-1', text: 'In Kiel.', by: 'reader' });
      await isAsked(stage, 'question-2');
      await stage.client.answer(stage.workflowId, { to: 'question-2', text: 'In June.', by: 'reader' });
    },
  },
  {
    name: 'question-unanswered',
    ends: 'quality_met',
    spec: judged('question-unanswered', { generator, questions: { most: 1, timeout: 1_000 } }),
    script: [calls(asks), calls(asksWhen), written({ reply: 'poem' }), judgement({ reply: vivid })],
  },
  {
    name: 'question-in-a-list',
    ends: 'quality_met',
    spec: judged('question-in-a-list', { generator }),
    script: [
      calls({
        name: 'ask_person',
        arguments: { questions: [{ question: 'Rain where?', options: [{ label: 'Kiel' }] }] },
      }),
      written({ reply: 'poem' }),
      judgement({ reply: vivid }),
    ],
    async meanwhile(stage) {
      await isAsked(stage, 'question-1');
      await stage.client.answer(stage.workflowId, { to: 'question-1', text: 'Kiel', by: 'reader' });
    },
  },
  {
    name: 'question-overridden',
    ends: 'quality_met',
    spec: judged('question-overridden', { generator }),
    script: [calls(asks), judgement({ reply: flat }), written({ reply: 'poem' }), judgement({ reply: vivid })],
    async meanwhile(stage) {
      await isAsked(stage, 'question-1');
      await stage.client.override(stage.workflowId, { output: 'my poem', by: 'reader' });
    },
  },
  {
    name: 'approvals',
    ends: 'quality_met',
    spec: judged('approvals', { generator }),
    script: [calls(pays(5), pays(20), pays(30), pays(40)), written({ reply: 'poem' }), judgement({ reply: vivid })],
    async meanwhile({ client, workflowId, ...stage }) {
      await isAsked({ client, workflowId, ...stage }, 'approval-3');
      // A signal: an update is refused.
      await stage.handle.signal('answer', { to: 'approval-3', arguments: { amount: 'much' }, by: 'reader' });
      await client.answer(workflowId, { to: 'approval-2', refuse: true, reason: 'Too much.', by: 'reader' });
      await client.answer(workflowId, { to: 'approval-1', approve: true, by: 'reader' });
      await isAsked({ client, workflowId, ...stage }, 'approval-4');
      await client.answer(workflowId, { to: 'approval-4', arguments: { amount: 8 }, by: 'reader' });
    },
  },
  {
    name: 'approvals-checked',
    ends: 'quality_met',
    spec: judged('approvals-checked', { generator }),
    script: [
      calls(pays(20), pays(30)),
      // What was refused is not put to the reader again, and neither is the question.
      calls(pays(20), asks),
      calls(asks, pays(20)),
      written({ reply: 'poem' }),
      judgement({ reply: vivid }),
    ],
    async meanwhile({ client, workflowId, ...stage }) {
      const answer = async (payload: object): Promise<unknown> =>
        client.answer(workflowId, { by: 'reader', ...payload } as never);
      await isAsked({ client, workflowId, ...stage }, 'approval-2');
      // It is refused before it is taken.
      await answer({ to: 'approval-2', arguments: { amount: 'much' } }).catch(() => undefined);
      // Something that the action does not take is dropped, which the reader sees before the call is made.
      await answer({ to: 'approval-2', arguments: { amount: 8, to: 'Ada' } });
      await answer({ to: 'approval-1', refuse: true, reason: 'Too much.' });
      await isAsked({ client, workflowId, ...stage }, 'approval-3');
      await answer({ to: 'approval-3', approve: true });
      await isAsked({ client, workflowId, ...stage }, 'question-1');
      await answer({ to: 'question-1', text: 'In Kiel.' });
    },
  },
];
