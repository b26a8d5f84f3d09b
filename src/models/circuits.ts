import { CIRCUIT_DEFAULTS, type CircuitOptions, type CircuitStatus, ModelCircuit } from './circuit-breaker';

/** The provider's own address, as the vendor's client knows it. */
const VENDOR = 'https://api.openai.com/v1';

/** The circuits of a worker: one for each endpoint and model, made when it is first called. */
export class Circuits {
  readonly #circuits = new Map<string, ModelCircuit>();

  /** @param options false: no circuit ever opens */
  constructor(
    private readonly options: CircuitOptions | false = {},
    private readonly onChange?: (status: CircuitStatus) => void,
  ) {}

  /** Makes a call through the circuit of a model. */
  async call<T>(
    target: { baseUrl: string | undefined; model: string; signal: AbortSignal },
    work: () => Promise<T>,
  ): Promise<T> {
    if (this.options === false) return work();
    const names = { provider: withoutSecrets(target.baseUrl ?? VENDOR), model: target.model };
    const key = `${target.baseUrl ?? VENDOR} ${target.model}`;
    const circuit =
      this.#circuits.get(key) ?? new ModelCircuit(names, { ...CIRCUIT_DEFAULTS, ...this.options }, this.onChange);
    this.#circuits.set(key, circuit);
    return circuit.call(target.signal, work);
  }

  /** The circuits of all models that were called so far. */
  states(): CircuitStatus[] {
    return [...this.#circuits.values()].map(({ status }) => status);
  }
}

function withoutSecrets(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return 'an address that cannot be read';
  const { origin, pathname } = new URL(baseUrl);
  return `${origin}${pathname}`;
}
