import type { ModelCall } from '../../lib/contract/model-calls';
import { isJsonObject, type Json } from '../../lib/json/json';

export type KeptCall = Required<Pick<ModelCall, 'prompt' | 'reply' | 'attempt' | 'startedAt' | 'ms'>> &
  Pick<ModelCall, 'note' | 'tokenUsage'>;

type Place = (string | number)[];

/** A value whose long texts are kept by themselves, so that one that several calls share is kept once. */
interface KeptRecord {
  format: 1;
  calls: Json;
  /** The places of long texts in `calls`, with the address of each. */
  texts: [Place, string][];
}

export interface KeptValues {
  put(values: readonly Json[]): Promise<string[]>;
}

/** Characters from which a text is kept by itself. */
const LONG = 512;
const MOST_CHARACTERS = 8_000_000;

function replaceTexts(value: Json, replace: (text: string, place: Place) => string, place: Place = []): Json {
  if (typeof value === 'string') return replace(value, place);
  if (Array.isArray(value)) return value.map((item, index) => replaceTexts(item, replace, [...place, index]));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([, item]) => (item as Json | undefined) !== undefined);
  return Object.fromEntries(entries.map(([key, item]) => [key, replaceTexts(item, replace, [...place, key])]));
}

/** Keeps calls: long texts by themselves, the rest as a record, whose address is returned. */
export async function keepCalls(calls: readonly KeptCall[], values: KeptValues): Promise<string> {
  const long: { place: Place; text: string }[] = [];
  let left = MOST_CHARACTERS;
  const rest = replaceTexts(calls as unknown as Json, (text, place) => {
    if (text.length > left) return `[${text.length} characters, which were not kept: the call is too large]`;
    left -= text.length;
    if (text.length < LONG) return text;
    long.push({ place, text });
    return '';
  });
  const addresses = await values.put(long.map(({ text }) => text));
  const texts = long.map(({ place }, index): [Place, string] => [place, addresses[index]!]);
  const record: KeptRecord = { format: 1, calls: rest, texts };
  const [address] = await values.put([record as unknown as Json]);
  return address!;
}

/** Throws TypeError for a record of another form, and what `load` throws. */
export async function readKeptCalls(
  address: string,
  load: (addresses: readonly string[]) => Promise<Json[]>,
): Promise<KeptCall[]> {
  const [read] = await load([address]);
  const { format, calls, texts } = read as unknown as KeptRecord;
  if (format !== 1) throw new TypeError('it was kept by a later version of the package');
  const addresses = [...new Set(texts.map(([, each]) => each))];
  const loaded = await load(addresses);
  const byAddress = new Map(addresses.map((each, index) => [each, loaded[index]]));
  const byPlace = new Map(texts.map(([place, each]) => [JSON.stringify(place), byAddress.get(each)]));
  const whole = replaceTexts(calls, (text, place) => {
    const kept = byPlace.get(JSON.stringify(place));
    return typeof kept === 'string' ? kept : text;
  });
  return whole as unknown as KeptCall[];
}
