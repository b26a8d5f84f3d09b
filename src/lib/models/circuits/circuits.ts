import { Holds } from '../../limits/holds';
import { shownUrl } from '../../text/secrets';
import { CIRCUIT_DEFAULTS, type CircuitOptions, type CircuitStatus, ModelCircuit } from './circuit-breaker';
import { failureTypeOf, isError } from './failure-type';
import { EndpointHeldError } from './not-sent';
import { retryAfterMs } from './retry-after';

/** The provider's own address, as the vendor's client knows it. */
export const VENDOR = 'https://api.openai.com/v1';

interface Target {
  baseUrl: string | undefined;
  /** The provider of a model that has no address here: shown as it is. */
  provider?: string | undefined;
  model: string;
  signal: AbortSignal;
}

/** Only if the provider is busy does a Retry-After concern all callers, and not one request. */
function isBusy(error: unknown): boolean {
  const type = isError(error) ? failureTypeOf(error) : undefined;
  return type === 'RateLimited' || type === 'Unavailable';
}

/** The circuits of a worker: one for each endpoint and model, made when it is first called. */
export class Circuits {
  readonly #circuits = new Map<string, ModelCircuit>();
  readonly #holds = new Holds(() => performance.now(), Math.random);

  /** @param options false: no circuit ever opens */
  constructor(
    private readonly options: CircuitOptions | false = {},
    private readonly onChange?: (status: CircuitStatus) => void,
  ) {}

  /**
   * Makes a call through the circuit of a model, unless its provider asked to be left alone. A delay that one call received holds
   * for all models of the endpoint: a provider that asks for it does not mention models. Throws EndpointHeldError,
   * CircuitOpenError at once, with nothing sent, and whatever the call throws.
   */
  async call<T>(target: Target, work: () => Promise<T>): Promise<T> {
    const endpoint = target.provider ?? target.baseUrl ?? VENDOR;
    const backInMs = this.#holds.backInMs(endpoint);
    if (backInMs !== undefined) throw new EndpointHeldError(target.model, backInMs);
    try {
      return await this.#throughCircuit(endpoint, target, work);
    } catch (error) {
      const asked = isBusy(error) ? retryAfterMs(error, Date.now()) : undefined;
      if (asked) this.#holds.note(endpoint, asked);
      throw error;
    }
  }

  async #throughCircuit<T>(endpoint: string, target: Target, work: () => Promise<T>): Promise<T> {
    if (this.options === false) return work();
    const key = `${endpoint} ${target.model}`;
    const circuit =
      this.#circuits.get(key) ?? this.#create(target.provider ?? shownUrl(endpoint), target.model, this.options);
    this.#circuits.set(key, circuit);
    return circuit.call(target.signal, work);
  }

  #create(shown: string, model: string, options: CircuitOptions): ModelCircuit {
    // Two that differ only in their secrets must still be distinguishable.
    const alike = this.states().filter((each) => each.model === model && each.provider.startsWith(shown)).length;
    const provider = alike === 0 ? shown : `${shown} (${alike + 1})`;
    return new ModelCircuit({ provider, model }, { ...CIRCUIT_DEFAULTS, ...options }, this.onChange);
  }

  states(): CircuitStatus[] {
    return [...this.#circuits.values()].map(({ status }) => status);
  }
}
