import type { ReflectionClient } from '../../../src/client';
import { type BatchPage, type Grant, pageId } from '../../../src/kinds/batch/state/batch';
import { eventually } from '../../support/eventually';
import type { Scenario, Stage } from '../scenario';
import { answering, bad, good } from './specs';

const digest = '0123456789abcdef';
const passes = answering([good], { maxIterations: 1 });
const { evaluator } = passes;
const reviewed = answering([bad], { maxIterations: 1, review: { when: 'on_exhausted', timeout: '70s' } });
/** Waits until it is cancelled. */
const stuck = { generator: { action: 'counts', with: { stuckAt: 1 } }, evaluator };

const itemsOf = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => ({ index: from + at, id: `item-${from + at}`, state: {} }));

/** Starts the pages of a scenario's batch. */
const uploaded =
  (name: string, loop: object, sizes: number[]) =>
  async ({ temporal, taskQueue }: ReflectionClient): Promise<void> => {
    let from = 0;
    for (const [page, size] of sizes.entries()) {
      const batch = `recorded-${name}`;
      const argument = { batch, page, loop, items: itemsOf(size, from), done: [], attempt: 1 };
      const started = { taskQueue, workflowId: pageId(batch, digest, page), args: [argument] };
      await temporal.workflow.start('reflectionBatchPage', started);
      from += size;
    }
  };

const batch = (name: string, loop: object, pages: number[], more: object = {}) => ({
  name,
  type: 'reflectionBatch' as const,
  spec: { name, loop, digest, pages, concurrency: 2, ...more },
});

const HOLDER = 'recorded-batch-holder';

/** A page of a batch that a population stands for: it takes no notice of reports. */
const page = (name: string, more: Partial<BatchPage> & Pick<BatchPage, 'items'>, toBatch = HOLDER) => ({
  name,
  type: 'reflectionBatchPage' as const,
  spec: { batch: toBatch, page: 0, loop: passes, done: [], attempt: 1, ...more },
});

const held = async ({ temporal, taskQueue }: ReflectionClient): Promise<void> => {
  const agents = [{ id: 'nobody', type: 'none' }];
  const config = { reflection: { method: 'template' } };
  await temporal.workflow.start('agentReflection', {
    taskQueue,
    workflowId: HOLDER,
    args: [{ agents, config }],
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
};

const grant = (number: number, slots: number): Grant => ({
  number,
  slots,
  reportEvery: 2,
  preparation: { known: ['action answers'], retryForMs: 60_000 },
});

/** Waits until so many items of a page ended, and tells it to finish. */
const finished =
  (count: number) =>
  async ({ handle }: Stage): Promise<void> => {
    await handle.signal('grant', grant(1, 2));
    await eventually(
      () => handle.query<{ lines: { status: string }[] }>('lines'),
      ({ lines }) => lines.filter(({ status }) => status !== 'not_started').length >= count,
      30_000,
    );
    await handle.signal('finish');
  };

const running = ({ client, workflowId }: Stage) =>
  eventually(
    () => client.batches.progress(workflowId),
    (progress) => progress.running > 0,
    30_000,
  );

/** Batches, and the pages of their items. */
export const batches: Scenario[] = [
  {
    ...batch('batch-pages', answering([bad, good]), [3, 2]),
    ends: 'completed',
    before: uploaded('batch-pages', answering([bad, good]), [3, 2]),
    async meanwhile({ handle }) {
      await handle.executeUpdate('pause');
      await handle.executeUpdate('resume');
    },
  },
  {
    ...batch('batch-budget', passes, [2, 2], { budget: { tokens: 0 } }),
    ends: 'completed',
    before: uploaded('batch-budget', passes, [2, 2]),
  },
  { ...batch('batch-lost-pages', passes, [2, 2]), ends: 'completed' },
  {
    ...batch('batch-unknown-action', { ...passes, generator: { action: 'nobody-has-it' } }, [1]),
    ends: 'UnknownAction',
  },
  {
    ...batch('batch-cancelled', stuck, [2, 1]),
    ends: 'Cancelled',
    before: uploaded('batch-cancelled', stuck, [2, 1]),
    async meanwhile(stage) {
      await running(stage);
      await stage.handle.cancel();
    },
  },
  {
    ...batch('batch-handed-over', passes, [3, 3, 3]),
    world: 'impatient',
    ends: 'completed',
    before: uploaded('batch-handed-over', passes, [3, 3, 3]),
  },
  {
    // Its items wait for longer than their waits are collected.
    ...batch('batch-waits', reviewed, [2]),
    world: 'told',
    ends: 'completed',
    before: uploaded('batch-waits', reviewed, [2]),
  },
  { ...page('batch-page', { items: itemsOf(3) }), ends: 'completed', before: held, meanwhile: finished(3) },
  {
    ...page('batch-page-handed-over', { items: itemsOf(8) }),
    world: 'impatient',
    ends: 'completed',
    before: held,
    meanwhile: finished(8),
  },
  {
    // Its batch is not there: loops under way are cancelled.
    ...page('batch-page-alone', { items: itemsOf(3), loop: stuck as never }, 'recorded-no-batch'),
    ends: 'completed',
    meanwhile: ({ handle }) => handle.signal('grant', grant(1, 1)),
  },
  { name: 'batch-page-odd', type: 'reflectionBatchPage', spec: 'no page', ends: 'InvalidSpec' },
];
