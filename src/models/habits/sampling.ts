import { defined } from '../../domain/base/defined';
import type { ChatRequest, ModelConfig, SamplingSettings } from '../types';

/** How the words of one reply are chosen: what the call says, else what the model is set to. */
export function samplingOf(config: ModelConfig, request: ChatRequest): SamplingSettings {
  const { seed, topP, stop, reasoningEffort } = { ...config, ...defined(request) } as SamplingSettings;
  return defined({ seed, topP, stop, reasoningEffort } as SamplingSettings);
}
