/** The state of a circuit of a running worker, as its metrics report it. */
interface WorkerCircuit {
  circuit: string;
  state: string;
}

const TIMEOUT_MS = 3_000;
const LINE = /^reflect_circuit_state\{circuit="((?:[^"\\]|\\.)*)",state="([\w-]+)"\} 1$/gm;

export function circuitsIn(metrics: string): WorkerCircuit[] {
  return [...metrics.matchAll(LINE)].map(([, circuit, state]) => ({
    circuit: circuit!.replace(/\\(.)/g, '$1'),
    state: state!,
  }));
}

/**
 * Asks a worker that serves metrics: the circuits are in its memory, and `reflect doctor` is another process.
 *
 * @throws Error when it does not answer
 */
export async function workerCircuits(baseUrl: string): Promise<WorkerCircuit[]> {
  const response = await fetch(new URL('/metrics', baseUrl), { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`it answered ${response.status}`);
  return circuitsIn(await response.text());
}
