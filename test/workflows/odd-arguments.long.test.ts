import { randomUUID } from 'node:crypto';
import type { Json } from '../../src/lib/json/json';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';

const TYPES = [
  'reflectionLoop',
  'reflectionEvaluate',
  'reflectionCorrect',
  'reflectionPipeline',
  'planReflection',
  'agentReflection',
];

describe('a run that is started by hand with an encoding of its own', () => {
  let world: LoopWorld;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  const payload = (encoding: string, text: string) => ({
    metadata: { encoding: Buffer.from(encoding) },
    data: Buffer.from(text),
  });

  /** As the Web UI, or a client of another language, starts a run. */
  async function start(type: string, argument: ReturnType<typeof payload>, memo?: ReturnType<typeof payload>) {
    const { client } = world;
    const workflowId = `odd-${randomUUID()}`;
    await client.temporal.connection.workflowService.startWorkflowExecution({
      namespace: 'default',
      workflowId,
      requestId: randomUUID(),
      workflowType: { name: type },
      taskQueue: { name: client.taskQueue },
      input: { payloads: [argument] },
      ...(memo ? { memo: { fields: { note: memo } } } : {}),
    });
    return client.temporal.workflow.getHandle(workflowId);
  }

  interface Ended {
    type?: string;
    message?: string;
    details?: unknown[];
  }

  async function end(type: string, argument: ReturnType<typeof payload>, memo?: ReturnType<typeof payload>) {
    const handle = await start(type, argument, memo);
    const late = new Promise<Ended>((resolve) =>
      setTimeout(() => resolve({ type: 'it does not end' }), 20_000).unref(),
    );
    const ended = await Promise.race([
      handle.result().then(
        (value: Json): Ended => ({ type: 'completed', message: JSON.stringify(value) }),
        (error: { cause?: Ended }) => error.cause ?? {},
      ),
      late,
    ]);
    if (ended.type === 'it does not end') await handle.terminate();
    return ended;
  }

  test.each(TYPES)(
    '%s: what cannot be read is told as InvalidSpec, at once',
    async (type) => {
      const ended = await Promise.all([
        end(type, payload('binary/odd', 'x')),
        end(type, payload('json/protobuf', 'no JSON')),
        end(type, payload('json/plain', '{"goal": you}')),
      ]);
      expect(ended.map((each) => each.type)).toEqual(['InvalidSpec', 'InvalidSpec', 'InvalidSpec']);
      expect(ended[0]!.message).toMatch(/The argument cannot be read.*"binary\/odd"/);
      expect(ended[0]!.details).toEqual([[{ path: '', message: expect.stringContaining('binary/odd') }]]);
    },
    60_000,
  );

  test.each(TYPES)(
    '%s: the other encoding of the Web UI is read as the JSON that it is',
    async (type) => {
      const { type: failure, message } = await end(type, payload('json/protobuf', '{"nonsense": 1}'));
      expect([failure, message]).toEqual(['InvalidSpec', expect.stringContaining('nonsense')]);
    },
    60_000,
  );

  test.each(TYPES)(
    '%s: a memo that cannot be read blocks nothing',
    async (type) => {
      const ended = await end(type, payload('json/plain', '{"nonsense": 1}'), payload('binary/odd', 'x'));
      expect([ended.type, ended.message]).toEqual(['InvalidSpec', expect.stringContaining('nonsense')]);
    },
    60_000,
  );
});
