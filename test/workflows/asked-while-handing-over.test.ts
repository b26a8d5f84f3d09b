import { randomUUID } from 'node:crypto';
import type { ActivityInterceptors } from '@temporalio/worker';
import { defaultPayloadConverter } from '@temporalio/common';
import { z } from 'zod';
import type { ContinueAsNewState } from '../../src/loop/moves/continue-as-new-state';
import { LATEST_RULES } from '../../src/loop/base/rules';
import type { Preparation } from '../../src/loop/state/loop-settings';
import { initialState } from '../../src/loop/state/loop-state';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { defineAction } from '../../src/worker';
import { eventually } from '../../testing/support/eventually';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';
import { DEFAULT_SETTINGS } from '../../testing/support/versions';

const counts = defineAction({
  name: 'counts',
  description: 'Gives an output that says its iteration.',
  input: z.object({}),
  run: (_input, { iteration }) => ({ iteration }),
});

const spec: ReflectionSpec = {
  generator: { action: 'counts' },
  evaluator: { type: 'schema', schema: { type: 'object', required: ['missing'] } },
  maxIterations: 4,
  convergence: false,
};

/** A run that hands over after its second version, and asks after the first one whether the server still has the search attributes. */
function almostLong(): ContinueAsNewState {
  const preparation: Preparation = {
    settings: { ...DEFAULT_SETTINGS, maxIterations: 4, localActions: ['counts'] },
    evaluators: [{ name: 'schema', type: 'schema', weight: 1, gate: false, local: true }],
    actionNeeds: {},
    runList: 'each_version',
    searchAttributes: true,
    searchAttributesAt: 0,
  };
  return { state: { ...initialState(Date.now()), rules: LATEST_RULES, carriedThrough: -48 }, preparation };
}

describe('what a person asks for while a new run is about to take over', () => {
  let world: LoopWorld;
  let isAsked = false;
  let goOn = (): void => undefined;
  const held = new Promise<void>((resolve) => (goOn = resolve));

  const slowAnswer = (): ActivityInterceptors => ({
    inbound: {
      async execute(input, next) {
        // Only this question is asked with nothing.
        if (JSON.stringify(input.args) === '[{}]') {
          isAsked = true;
          await held;
        }
        return next(input);
      },
    },
  });

  beforeAll(async () => {
    world = await startWorld({ actions: [counts], temporal: { loops: { interceptors: { activity: [slowAnswer] } } } });
  });
  afterAll(() => {
    goOn();
    return world.close();
  });

  test('is done by the run that is there: an override does not stand in what the next one is given', async () => {
    const workflowId = `asked-${randomUUID()}`;
    const { workflow } = world.client.temporal;
    await workflow.start('reflectionLoop', {
      taskQueue: world.client.taskQueue,
      workflowId,
      args: [spec, almostLong()],
      // What is sent reaches a run that waits for a local activity only when its task is renewed.
      workflowTaskTimeout: '2s',
    });
    await eventually(
      () => isAsked,
      (asked) => asked,
    );
    await world.client.override(workflowId, { output: { mine: true } });
    goOn();
    const result = await world.client.result(workflowId);
    expect(result.history.versions.map(({ origin }) => origin)).toEqual([
      'draft',
      'regeneration',
      'override',
      'regeneration',
    ]);
    const { events } = await workflow.getHandle(workflowId).fetchHistory();
    const [, given] = events![0]!.workflowExecutionStartedEventAttributes!.input!.payloads!;
    const { state } = defaultPayloadConverter.fromPayload<ContinueAsNewState>(given!);
    expect([state.commands, state.versions.map(({ origin }) => origin)]).toEqual([
      {},
      ['draft', 'regeneration', 'override'],
    ]);
  }, 30_000);
});
