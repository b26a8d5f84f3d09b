import { omitUndefined } from '../../base/defined';
import type { ChatRequest, ModelConfig, SamplingSettings } from '../types';

/** Returns the sampling settings of one call: by the call, else by the settings of the model. */
export function chooseSampling(config: ModelConfig, request: ChatRequest): SamplingSettings {
  const { seed, topP, stop, reasoningEffort } = { ...config, ...omitUndefined(request) } as SamplingSettings;
  return omitUndefined({ seed, topP, stop, reasoningEffort } as SamplingSettings);
}
