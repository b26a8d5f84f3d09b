import { createServer, type AddressInfo } from 'node:net';
import type { WorkerMetrics } from '../../../worker';

const LOOPBACK = '127.0.0.1';
const TIMEOUT_MS = 2_000;

/**
 * Finds an address for the metrics of the SDK's core: on this machine only, and we pass them on. It cannot choose a port itself.
 */
export async function coreMetricsAddress(): Promise<string> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject);
    probe.listen(0, LOOPBACK, resolve);
  });
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return `${LOOPBACK}:${port}`;
}

/** Returns our metrics, and those of the SDK (`temporal_…`: slots, polls, latencies), as one page. */
export async function allMetrics(
  metrics: WorkerMetrics,
  coreAddress: string | undefined,
): Promise<{ contentType: string; text: string }> {
  const own = await metrics.text();
  return { contentType: metrics.contentType, text: own + (await coreText(coreAddress)) };
}

async function coreText(address: string | undefined): Promise<string> {
  if (address === undefined) return '';
  try {
    const response = await fetch(`http://${address}/metrics`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return response.ok ? await response.text() : '';
  } catch {
    // Ours are worth having without them.
    return '';
  }
}
