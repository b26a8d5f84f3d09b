import {
  Client,
  type ClientInterceptors,
  Connection,
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
  ServiceError,
} from '@temporalio/client';
import { ReflectionClient } from '../../src/client';
import { CommandRefusedError } from '../../src/loop/errors/errors';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { eventually } from '../../testing/support/eventually';
import { hears } from '../../testing/support/hears';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';

const spec: ReflectionSpec = {
  generator: { action: 'hears' },
  evaluator: { type: 'schema', schema: { type: 'object', required: ['nothing'] } },
  maxIterations: 1,
  review: { when: 'on_exhausted' },
};

/** What the server answers to an update whose workflow task failed because the run was just ending. */
function failedPrecondition(): ServiceError {
  const details = 'Unable to perform workflow execution update due to unexpected workflow task failure.';
  const cause = Object.assign(new Error(`9 FAILED_PRECONDITION: ${details}`), {
    code: 9,
    details,
    metadata: {},
  });
  return new ServiceError('Workflow Update failed', { cause });
}

describe('a command that meets a run in the task that ends it', () => {
  let world: LoopWorld;
  let connection: Connection;
  /** Ids of each update that was sent: the server's, and the command's. */
  let sent: { updateId: string | undefined; id: unknown }[] = [];
  let answersLost = 0;
  let failure = failedPrecondition;
  let client: ReflectionClient;

  beforeAll(async () => {
    world = await startWorld({ actions: [hears] });
    connection = await Connection.connect({ address: world.address });
    const interceptors: ClientInterceptors = {
      workflow: [
        {
          async startUpdate(input, next) {
            const [payload] = input.args as [{ id: unknown }];
            sent.push({ updateId: input.options.updateId, id: payload.id });
            const answer = next(input);
            if (answersLost-- <= 0) return answer;
            await answer.catch(() => undefined);
            throw failure();
          },
        },
      ],
    };
    client = new ReflectionClient(new Client({ connection, interceptors }), world.client.taskQueue);
  });
  afterAll(async () => {
    await connection.close();
    await world.close();
  });
  beforeEach(() => {
    sent = [];
  });

  async function waitingRun(): Promise<string> {
    const { workflowId } = await client.start(spec);
    await eventually(
      () => client.progress(workflowId),
      ({ phase }) => phase === 'waiting',
    );
    return workflowId;
  }

  test('it is sent again under the same ids, and takes effect once', async () => {
    const workflowId = await waitingRun();
    answersLost = 2;
    expect(await client.extend(workflowId, { iterations: 1, by: 'reviewer' })).toMatchObject({ maxIterations: 2 });
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map(({ updateId }) => updateId)).size).toBe(1);
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
    await client.abort(workflowId);
    const { history } = await client.result(workflowId);
    expect(history.people.map(({ name, by }) => [name, by])).toEqual([
      ['extend', 'reviewer'],
      ['abort', undefined],
    ]);
  });

  test('where it ended the run, the run says so, however often it is asked; another command that came after the end is refused as such', async () => {
    const workflowId = await waitingRun();
    answersLost = 1;
    expect(await client.abort(workflowId, { id: 'mine' })).toMatchObject({ iteration: 1 });
    expect(sent.map(({ id }) => id)).toEqual(['mine', 'mine']);
    await client.result(workflowId);
    expect(await client.abort(workflowId, { id: 'mine' })).toMatchObject({ convergenceReason: 'aborted' });
    answersLost = 1;
    const refusal = await client.abort(workflowId, { id: 'late' }).catch((thrown: unknown) => thrown);
    expect(refusal).toBeInstanceOf(CommandRefusedError);
    expect(String(refusal)).toContain('the run has ended');
  });

  test('forty commands at once, of which the server takes ten, are all answered by the run', async () => {
    // The SDK sends each ten times, which is enough on a fast machine only.
    const isUnavailable = ({ code }: { code: number }) => code === 14;
    const interceptors = [
      makeGrpcRetryInterceptor({
        ...defaultGrpcRetryOptions(),
        retryableDecider: (_attempt, status) => isUnavailable(status),
      }),
    ];
    const plain = await Connection.connect({ address: world.address, interceptors });
    let refusals = 0;
    const counting: ClientInterceptors = {
      workflow: [
        {
          startUpdate: (input, next) =>
            next(input).catch((error: unknown) => {
              if (/RESOURCE_EXHAUSTED/.test(String((error as Error).cause))) refusals += 1;
              throw error;
            }),
        },
      ],
    };
    const eager = new ReflectionClient(new Client({ connection: plain, interceptors: counting }), client.taskQueue);
    const workflowId = await waitingRun();
    const all = Array.from({ length: 40 }, (_, index) => index);
    // Each is refused by the run, which is its answer.
    const answers = await Promise.all(
      all.map((index) =>
        eager.extend(workflowId, { tokens: 1, by: `${index}` }).catch((error: unknown) => error as Error),
      ),
    );
    expect(answers.filter((answer) => !(answer instanceof CommandRefusedError))).toEqual([]);
    expect(refusals).toBeGreaterThan(0);
    await client.abort(workflowId);
    await plain.close();
  }, 60_000);

  test('a message that is too large is not sent again', async () => {
    const workflowId = await waitingRun();
    const details = 'Received message larger than max (5 vs. 4)';
    failure = () =>
      new ServiceError('Workflow Update failed', {
        cause: Object.assign(new Error(details), { code: 8, details, metadata: {} }),
      });
    answersLost = 1;
    await expect(client.extend(workflowId, { iterations: 1 })).rejects.toThrow(/larger than max/);
    expect(sent).toHaveLength(1);
    failure = failedPrecondition;
    await client.abort(workflowId);
  });
});
