import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReflectionSpec } from '../../../src/loop/contract/spec';
import { externalStorage } from '../../../src/lib/storage/data-converter';
import { localFolderStorage } from '../../../src/lib/storage/local-folder';
import { requestsOf } from '../../../src/apps/testing/scripted-model/ledger';
import { StorageWithFaults } from '../../../testing/support/storage-with-faults';
import { inScriptedWorld } from '../../../testing/support/scripted-world';
import { textOf } from './payloads';

const draft = { text: textOf(200_000) };
const revised = { text: 'short', done: true };
/** A draft that fails; the call of the revision is given it, so its input goes to the storage. */
const spec: ReflectionSpec = {
  generator: { action: 'llm.call', prompt: 'Write.' },
  evaluator: { type: 'schema', schema: { type: 'object', required: ['done'] } },
};

/** Written are what the draft's activity hands back, what its check is given, and what the revision's activity is given. */
const INPUT = 3;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reflect-inputs-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a storage that is slow to hand over what a call is given', () => {
  test('for longer than two heartbeat timeouts: the next attempt reads again, and no call is paid for again', async () => {
    const storage = new StorageWithFaults(localFolderStorage({ folder }));
    const isFirst = () => storage.reads.filter((write) => write === INPUT).length <= 1;
    storage.readDelay = (write) => (write === INPUT && isFirst() ? 12_000 : 0);
    const dataConverter = { externalStorage: externalStorage({ driver: storage }) };
    const script = [{ reply: draft }, { reply: revised, times: 'always' as const }];
    await inScriptedWorld({ recovery: 'steady', dataConverter }, script, async ({ client, model }) => {
      const { workflowId } = await client.start(spec);
      expect(await client.result(workflowId)).toMatchObject({
        success: true,
        finalOutput: revised,
        tokenUsage: { modelCalls: 2 },
      });
      expect(requestsOf(model.ledger)).toHaveLength(2);
      expect(storage.reads.filter((write) => write === INPUT)).toHaveLength(2);
    });
  }, 60_000);
});
