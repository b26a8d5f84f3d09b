import { isJsonObject, type Json } from '../lib/json/json';

/** The setting that switches a trigger on, by the trigger's name in files; none for those that are always on. */
const SETTINGS: Record<string, string | undefined> = {
  completion: undefined,
  manual: undefined,
  step_interval: 'reflectionInterval',
  error: 'reflectOnError',
  tool_result: 'reflectOnTools',
  quality_drop: 'qualityDropThreshold',
};

export const TRIGGERS_MESSAGE =
  'must list triggers (completion, manual, error, step_interval, tool_result, quality_drop), the last three with their setting: reflection_interval, reflect_on_tools, quality_drop_threshold';

/** The wire has settings only; `error` needs none. A list that names a trigger without its setting is a problem. */
export function placeTriggers(value: Json): Json {
  if (!isJsonObject(value) || !Array.isArray(value['reflectionTriggers'])) return value;
  const { reflectionTriggers: names, ...rest } = value;
  const given = rest['triggers'] ?? {};
  if (!isJsonObject(given)) return value;
  const triggers = names.includes('error') ? { reflectOnError: true, ...given } : given;
  const isKnown = (name: Json): boolean => {
    if (typeof name !== 'string' || !Object.hasOwn(SETTINGS, name)) return false;
    const setting = SETTINGS[name];
    return setting === undefined || Object.hasOwn(triggers, setting);
  };
  if (!names.every(isKnown)) return value;
  return Object.keys(triggers).length === 0 ? rest : { ...rest, triggers };
}

export const sayOfTriggers =
  (place: RegExp) =>
  (path: string, message: string): string =>
    place.test(path) ? TRIGGERS_MESSAGE : message;
