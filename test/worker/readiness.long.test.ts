import { randomUUID } from 'node:crypto';
import { NativeConnection } from '@temporalio/worker';
import { createWorker } from '../../src/worker';
import { eventually } from '../../testing/support/eventually';
import '../../testing/support/quiet';
import { startPrivateServer } from '../../testing/support/temporal-server';

test('a worker is ready while it polls and its server answers, and not otherwise', async () => {
  const temporal = await startPrivateServer();
  const connection = await NativeConnection.connect({ address: temporal.address });
  const worker = await createWorker({ connection, taskQueue: `ready-${randomUUID()}` });
  expect(await worker.readiness()).toEqual({ ready: false, why: 'initialized, initialized' });
  const running = worker.run();
  await eventually(
    () => worker.readiness(),
    ({ ready }) => ready,
  );
  process.kill(temporal.pid, 'SIGKILL');
  await temporal.exited;
  expect(await worker.readiness()).toEqual({ ready: false, why: 'the Temporal server does not answer' });
  const again = await startPrivateServer({ port: Number(temporal.address.split(':')[1]) });
  await eventually(
    () => worker.readiness(),
    ({ ready }) => ready,
  );
  worker.shutdown();
  await running;
  expect(await worker.readiness()).toMatchObject({ ready: false });
  await connection.close();
  await again.stop();
}, 60_000);
