import { isJsonObject, type Json, type JsonObject } from '../../../lib/json/json';
import type { HistoryFile } from './history-file';

/** Says which machine and which build made the recording; replay needs none of it. */
const LEFT_OUT = new Set(['stackTrace', 'workerVersion', 'binaryChecksum', 'meteringMetadata']);

/** Replay does not compare what activities are given, and it is most of a recording. */
const LEFT_OUT_OF_ACTIVITIES = ['input', 'header'];

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const LOCAL_SERVER = /127\.0\.0\.1:\d+/g;

/** Gives ids that are random the same names in every recording, so that recordings can be compared. */
export class Scrubber {
  readonly #ids = new Map<string, string>();

  #id(id: string): string {
    const known = this.#ids.get(id);
    if (known) return known;
    const name = `00000000-0000-4000-8000-${String(this.#ids.size + 1).padStart(12, '0')}`;
    this.#ids.set(id, name);
    return name;
  }

  #value(key: string, value: Json): Json {
    if (key === 'identity') return 'recorder';
    if (typeof value === 'string') {
      // Payloads are base64 and keep what is in them.
      return key === 'data' ? value : value.replace(UUID, (id) => this.#id(id)).replace(LOCAL_SERVER, 'model.test');
    }
    if (Array.isArray(value)) return value.map((each) => this.#value('', each));
    if (!isJsonObject(value)) return value;
    // Its name holds the worker's process and host.
    if (value['kind'] === 'TASK_QUEUE_KIND_STICKY') return { ...value, name: 'sticky' };
    return this.#object(value, key === 'activityTaskScheduledEventAttributes' ? LEFT_OUT_OF_ACTIVITIES : []);
  }

  #object(value: JsonObject, leftOut: readonly string[] = []): JsonObject {
    const kept = Object.entries(value).filter(([key]) => !LEFT_OUT.has(key) && !leftOut.includes(key));
    return Object.fromEntries(kept.map(([key, each]) => [key, this.#value(key, each)]));
  }

  /** Removes from a history what says where it was recorded. Give the runs of a chain to one scrubber. */
  scrub(history: HistoryFile): HistoryFile {
    return { events: history.events.map((event) => this.#object(event)) };
  }
}
