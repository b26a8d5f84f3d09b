import { shownUrl } from '../domain/secrets';
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
    const key = `${target.baseUrl ?? VENDOR} ${target.model}`;
    const circuit = this.#circuits.get(key) ?? this.#made(target.baseUrl ?? VENDOR, target.model, this.options);
    this.#circuits.set(key, circuit);
    return circuit.call(target.signal, work);
  }

  #made(baseUrl: string, model: string, options: CircuitOptions): ModelCircuit {
    const shown = shownUrl(baseUrl);
    // Two that differ only in what is secret must still be told apart.
    const alike = this.states().filter((each) => each.model === model && each.provider.startsWith(shown)).length;
    const provider = alike === 0 ? shown : `${shown} (${alike + 1})`;
    return new ModelCircuit({ provider, model }, { ...CIRCUIT_DEFAULTS, ...options }, this.onChange);
  }

  /** The circuits of all models that were called so far. */
  states(): CircuitStatus[] {
    return [...this.#circuits.values()].map(({ status }) => status);
  }
}
