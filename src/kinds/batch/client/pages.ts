import { createHash } from 'node:crypto';
import type { BatchItem } from '../state/batch';
import { isJson, isJsonObject, type JsonObject } from '../../../lib/json/json';
import { jsonBytes } from '../../../lib/json/json-bytes';
import { MOST_PAGE_ITEMS, MOST_PAGES } from '../base/defaults';
import { protocolTextProblem } from '../../../lib/names/protocol-text';
import type { SpecProblem } from '../../../lib/contract/spec-problem';
import type { ReflectionSpec } from '../../../loop/contract/spec';
import { InvalidSpecError } from '../../../loop/errors/errors';

/** Bytes of the items of a page: they stand in its history, and travel when it continues as new. */
const PAGE_BYTES = 400_000;
const ITEM_BYTES = 400_000;
/** The maximum size of a loop in bytes; each page contains the loop. */
const LOOP_BYTES = 200_000;
/** The maximum size in bytes of the first item, with which the loop is checked. */
export const FIRST_BYTES = 200_000;
const MOST_PROBLEMS = 100;

/** No `/`, which parts the ids of runs, and no ending as ids of repeated runs have. */
const ID = /^(?!.*~\d+$)[^/\p{Cc}]{1,200}$/u;

export interface PagedItems {
  pages: BatchItem[][];
  /** 16 hexadecimal digits that identify the items and the loop. */
  digest: string;
  items: number;
}

function idOf(item: JsonObject, index: number): string {
  const { id } = item;
  if (id === undefined || id === null) return String(index + 1);
  return typeof id === 'number' ? String(id) : (id as string);
}

function problemsOf(item: unknown, index: number, seen: ReadonlyMap<string, number>): SpecProblem[] {
  const path = `/items/${index}`;
  if (!isJsonObject(item) || !isJson(item)) return [{ path, message: 'must be a JSON object' }];
  const id = idOf(item, index);
  if (typeof id !== 'string' || !ID.test(id)) {
    const message = 'must be a number, or 1 to 200 characters without "/" and without "~" and a number at the end';
    return [{ path: `${path}/id`, message }];
  }
  const broken = protocolTextProblem(id);
  if (broken !== undefined) return [{ path: `${path}/id`, message: broken }];
  const before = seen.get(id);
  if (before !== undefined) {
    return [{ path: `${path}/id`, message: `"${id}" is the id of item ${before + 1}, too` }];
  }
  const bytes = jsonBytes(item);
  if (bytes > ITEM_BYTES) return [{ path, message: `has ${bytes} bytes; at most ${ITEM_BYTES} are possible` }];
  return [];
}

/** Cuts items into pages. Throws InvalidSpecError with the mistakes of items (`/items/0/id`) and of the batch. */
export async function pagesOf(
  given: Iterable<JsonObject> | AsyncIterable<JsonObject>,
  loop: ReflectionSpec,
): Promise<PagedItems> {
  const hash = createHash('sha256').update(JSON.stringify(loop));
  const seen = new Map<string, number>();
  const problems: SpecProblem[] = [];
  const pages: BatchItem[][] = [];
  let bytes = 0;
  let index = 0;
  for await (const state of given) {
    problems.push(...problemsOf(state, index, seen));
    if (problems.length >= MOST_PROBLEMS) break;
    if (problems.length === 0) {
      const id = idOf(state, index);
      const text = JSON.stringify(state);
      hash.update('\n').update(text);
      seen.set(id, index);
      bytes += Buffer.byteLength(text);
      if (pages.length === 0 || pages.at(-1)!.length >= MOST_PAGE_ITEMS || bytes > PAGE_BYTES) {
        pages.push([]);
        bytes = Buffer.byteLength(text);
      }
      pages.at(-1)!.push({ index, id, state });
    }
    index += 1;
  }
  if (index === 0) problems.push({ path: '/items', message: 'must have at least one item' });
  if (pages.length > MOST_PAGES) {
    problems.push({ path: '/items', message: `fill ${pages.length} pages; at most ${MOST_PAGES} are possible` });
  }
  const loopBytes = jsonBytes(loop);
  if (loopBytes > LOOP_BYTES) {
    problems.push({ path: '/loop', message: `has ${loopBytes} bytes; at most ${LOOP_BYTES} are possible in a batch` });
  }
  if (problems.length > 0) throw new InvalidSpecError(problems);
  return { pages, digest: hash.digest('hex').slice(0, 16), items: index };
}
