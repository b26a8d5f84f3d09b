import type { Gauge, Registry } from 'prom-client';
import { requireOptional } from '../optional-packages';
import type { Instrumentation } from './instrumentation';

/** The state of a circuit breaker. */
export interface CircuitState {
  /** The configured model, or the provider, so that labels have few values. */
  name: string;
  state: 'closed' | 'open' | 'half-open';
}

/** Specs can name any model, so circuits are not always few. Those that are not closed come first. */
const MOST_CIRCUITS = 50;

const CIRCUIT_STATES = ['closed', 'open', 'half-open'] as const;

const SECONDS = [0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 120, 300];

type Prometheus = typeof import('prom-client');

function metersIn(registry: Registry, { Counter, Gauge, Histogram }: Prometheus) {
  return {
    calls: new Counter({
      name: 'reflect_model_calls_total',
      help: 'Model calls that ended, by how: ok, cut_off, cancelled, or the type of the failure.',
      labelNames: ['model', 'activity', 'outcome'] as const,
      registers: [registry],
    }),
    inFlight: new Gauge({
      name: 'reflect_model_calls_in_flight',
      help: 'Model calls that are under way.',
      labelNames: ['model'] as const,
      registers: [registry],
    }),
    seconds: new Histogram({
      name: 'reflect_model_call_duration_seconds',
      help: 'How long model calls took, failed ones included.',
      labelNames: ['model', 'activity'] as const,
      buckets: SECONDS,
      registers: [registry],
    }),
    tokens: new Counter({
      name: 'reflect_model_tokens_total',
      help: 'Tokens that providers counted, by kind: prompt or completion.',
      labelNames: ['model', 'kind'] as const,
      registers: [registry],
    }),
    usd: new Counter({
      name: 'reflect_model_cost_usd_total',
      help: 'US dollars, for models with prices.',
      labelNames: ['model'] as const,
      registers: [registry],
    }),
  };
}

/**
 * Metrics of a worker in Prometheus' format, and those of the process. Labels have few values, and none contains
 * content.
 */
export class WorkerMetrics implements Instrumentation {
  readonly #registry: Registry;
  readonly #meters: ReturnType<typeof metersIn>;

  /** `circuitStates` is called at each scrape. Throws PackageMissing without prom-client. */
  constructor(circuitStates?: () => readonly CircuitState[]) {
    const prometheus = requireOptional('Metrics', 'prom-client') as Prometheus;
    this.#registry = new prometheus.Registry();
    this.#meters = metersIn(this.#registry, prometheus);
    prometheus.collectDefaultMetrics({ register: this.#registry });
    if (circuitStates) this.#registry.registerMetric(circuitGauge(circuitStates, prometheus));
  }

  modelCall({ model, activity }: { model: string; activity: string }): ReturnType<Instrumentation['modelCall']> {
    const { calls, inFlight, seconds, tokens, usd } = this.#meters;
    inFlight.inc({ model });
    return ({ outcome, ms, usage }) => {
      inFlight.dec({ model });
      calls.inc({ model, activity, outcome });
      seconds.observe({ model, activity }, ms / 1_000);
      if (!usage) return;
      tokens.inc({ model, kind: 'prompt' }, usage.promptTokens);
      tokens.inc({ model, kind: 'completion' }, usage.completionTokens);
      if (usage.usd !== null) usd.inc({ model }, usage.usd);
    };
  }

  /** Returns all metrics in Prometheus' text format. */
  async text(): Promise<string> {
    return this.#registry.metrics();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }
}

/** Creates a gauge for each circuit and state: 1 for the present state, 0 for the others. */
function circuitGauge(
  circuitStates: () => readonly CircuitState[],
  prometheus: Prometheus,
): Gauge<'circuit' | 'state'> {
  return new prometheus.Gauge({
    name: 'reflect_circuit_state',
    help: '1 for the state in which a circuit breaker is.',
    labelNames: ['circuit', 'state'] as const,
    registers: [],
    collect() {
      this.reset();
      const circuits = circuitStates().toSorted((a, b) => Number(a.state === 'closed') - Number(b.state === 'closed'));
      for (const { name, state } of circuits.slice(0, MOST_CIRCUITS)) {
        for (const each of CIRCUIT_STATES) this.set({ circuit: name, state: each }, each === state ? 1 : 0);
      }
    },
  });
}
