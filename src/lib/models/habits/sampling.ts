import { omitUndefined } from '../../base/defined';
import type { ChatRequest, ModelConfig, SamplingSettings, SuggestedSetting } from '../types';

type Sent = Readonly<Record<SuggestedSetting, boolean>>;

const ALL_SENT: Sent = { temperature: true, seed: true };

/**
 * The sampling settings of one call: by the call, else by the settings of the model. A temperature that is only suggested gives
 * way to that of the model's `extraBody`.
 * @param sent whether the endpoint takes a setting that is only suggested
 */
export function chooseSampling(
  config: ModelConfig,
  request: ChatRequest,
  sent: Sent = ALL_SENT,
): SamplingSettings & { temperature?: number } {
  const hasTemperature = config.extraBody?.['temperature'] !== undefined;
  const left = (request.suggested ?? []).filter(
    (setting) => !sent[setting] || (setting === 'temperature' && hasTemperature),
  );
  const asked = omitUndefined({ ...request, ...Object.fromEntries(left.map((setting) => [setting, undefined])) });
  const { seed, topP, stop, reasoningEffort, temperature } = { ...config, ...asked } as ReturnType<
    typeof chooseSampling
  >;
  return omitUndefined({ seed, topP, stop, reasoningEffort, temperature } as ReturnType<typeof chooseSampling>);
}
