import { circuitsIn, workerCircuits } from '../../../../src/apps/cli/commands/doctor';
import { startObservabilityServer } from '../../../../src/lib/observability/http-server';
import { WorkerMetrics } from '../../../../src/lib/observability/metrics';

describe('circuits of a running worker', () => {
  test('the doctor reads from a worker which models it leaves alone', async () => {
    const metrics = new WorkerMetrics(() => [
      { name: 'http://127.0.0.1:1/v1 "big" model', state: 'open' },
      { name: 'http://127.0.0.1:1/v1 small', state: 'closed' },
    ]);
    const server = await startObservabilityServer({
      port: 0,
      readiness: () => Promise.resolve({ ready: true }),
      metrics: async () => ({ contentType: metrics.contentType, text: await metrics.text() }),
    });
    try {
      expect(await workerCircuits(server.url)).toEqual([
        { circuit: 'http://127.0.0.1:1/v1 "big" model', state: 'open' },
        { circuit: 'http://127.0.0.1:1/v1 small', state: 'closed' },
      ]);
    } finally {
      await server.close();
    }
  });

  test('metrics of something else have no circuits', () => {
    expect(circuitsIn('up 1\nreflect_circuit_state{circuit="x",state="open"} 0\n')).toEqual([]);
  });

  test('a worker that does not answer is an error', async () => {
    await expect(workerCircuits('http://127.0.0.1:9')).rejects.toThrow();
  });
});
