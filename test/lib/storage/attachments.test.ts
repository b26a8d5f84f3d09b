import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReflectionClient } from '../../../src/client';
import type { ReflectionSpec } from '../../../src/loop/contract/spec';
import { closeStorage, dataConverterFrom } from '../../../src/lib/storage';
import { requestsOf } from '../../../src/apps/testing/scripted-model/ledger';
import { ScriptedOpenAI } from '../../../src/apps/testing/scripted-model/server';
import { sha256Of } from '../../../testing/model-kinds/model-kind';
import { attachmentsOf } from '../../../testing/model-kinds/over-http';
import { eventually } from '../../../testing/support/eventually';
import { type LoopWorld, startWorld } from '../../../testing/support/loop-world';
import { killHard, startScript } from '../../../testing/support/processes';
import { S3Server } from '../../../testing/support/s3-server';
import { testAddress } from '../../../testing/support/temporal-server';
import { wholeHistory } from '../../../testing/support/whole-history';

const PICTURE_BYTES = 20_000_000;

const spec: ReflectionSpec = {
  generator: {
    action: 'llm.call',
    prompt: 'What is in the picture?',
    attachments: [{ image: '{{ state.photo }}' }],
  },
  evaluator: { type: 'llm', prompt: 'Is that in the picture?' },
};

/** What a process needs to use a storage, and how that is ended. */
interface Place {
  env: Record<string, string>;
  end(): Promise<void>;
}

const PLACES: [string, () => Promise<Place>][] = [
  [
    'a folder',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'reflect-picture-'));
      return {
        env: { REFLECT_STORAGE: `folder:${folder}` },
        end: () => rm(folder, { recursive: true, force: true }),
      };
    },
  ],
  [
    'S3',
    async () => {
      const server = await S3Server.start();
      return { env: server.env, end: () => server.stop() };
    },
  ],
];

test.each(PLACES)(
  '20 MB of a picture in %s reach generator and judge, through a kill of the worker in a call, and never a history',
  async (_where, begin) => {
    const place = await begin();
    Object.assign(process.env, place.env);
    const dataConverter = dataConverterFrom(place.env)!;
    const taskQueue = `picture-${randomUUID()}`;
    const model = await ScriptedOpenAI.start({
      script: [
        { fault: 'hang' },
        { reply: 'a cat' },
        { reply: { valid: true, score: 0.9, reason: 'a cat', issues: [] } },
      ],
    });
    const client = await ReflectionClient.connect({ address: testAddress(), taskQueue, dataConverter });
    const worker = await startScript('testing/support/worker-process.ts', {
      readyWhen: /ready/,
      env: {
        TEMPORAL_ADDRESS: testAddress(),
        REFLECT_TASK_QUEUE: taskQueue,
        // A process that encodes 20 MB may stall for longer than the profile `fast` survives.
        REFLECT_RECOVERY: 'steady',
        ...place.env,
        OPENAI_BASE_URL: model.baseUrl,
      },
    });
    let next: LoopWorld | undefined;
    try {
      const bytes = randomBytes(PICTURE_BYTES);
      const photo = await client.attach(bytes, { mediaType: 'image/png', name: 'cat.png' });
      const { workflowId } = await client.start({ ...spec, state: { photo: photo as never } });
      await eventually(
        () => requestsOf(model.ledger).length,
        (count) => count === 1,
        120_000,
      );
      await killHard(worker);
      const models = [{ name: 'scripted', model: 'scripted', baseUrl: model.baseUrl }];
      next = await startWorld({ taskQueue, models, dataConverter, recovery: 'steady' });
      expect(await client.result(workflowId)).toMatchObject({ success: true, finalOutput: 'a cat' });
      const sent = requestsOf(model.ledger).map(({ body }) =>
        (body!.messages as { content: unknown }[]).flatMap(({ content }) => attachmentsOf(content)),
      );
      const seen = [{ kind: 'image', sha256: sha256Of(bytes) }];
      expect(sent).toEqual([seen, seen, seen]);
      const history = await wholeHistory(client, workflowId);
      const size = history.events.reduce((sum, event) => sum + JSON.stringify(event).length, 0);
      expect(size).toBeLessThan(100_000);
    } finally {
      await killHard(worker);
      await next?.close();
      await client.close();
      await closeStorage(dataConverter);
      await model.close();
      await place.end();
      for (const name of Object.keys(place.env)) delete process.env[name];
    }
  },
  900_000,
);
