import type { Claim } from './claim';
import { StoredDataCorrupt, StoredDataMissing } from '../errors';
import { hashOf, readPart, type PartContent } from './part';
import type { PartStore } from './part-store';

/** Parts that were read and checked, by hash. */
type LoadedParts = ReadonlyMap<string, PartContent>;

/**
 * Reads the parts that the claims start from, and all that these refer to: one `get` a level of nesting, whatever the
 * number of claims.
 *
 * @throws StoredDataMissing, StoredDataCorrupt
 */
export async function loadParts(
  store: PartStore,
  namespace: string,
  roots: readonly string[],
  signal?: AbortSignal,
): Promise<LoadedParts> {
  const loaded = new Map<string, PartContent>();
  let wanted = [...new Set(roots)];
  while (wanted.length > 0) {
    signal?.throwIfAborted();
    const found = await store.get(namespace, wanted, signal);
    const next = new Set<string>();
    for (const hash of wanted) {
      const content = checkPart(store, { namespace, hash }, found.get(hash));
      loaded.set(hash, content);
      for (const hole of content.holes) if (!loaded.has(hole)) next.add(hole);
    }
    wanted = [...next].filter((hash) => !loaded.has(hash));
  }
  return loaded;
}

function checkPart(
  { description }: PartStore,
  address: { namespace: string; hash: string },
  bytes: Uint8Array | undefined,
): PartContent {
  if (bytes === undefined) throw new StoredDataMissing(address, description);
  if (hashOf(bytes) !== address.hash) throw new StoredDataCorrupt(address, description, 'its content has another hash');
  const content = readPart(bytes);
  if (content === undefined) throw new StoredDataCorrupt(address, description, 'it is not a part');
  return content;
}

/**
 * Fills all holes. Without recursion: a document may nest deeper than the call stack.
 *
 * @throws StoredDataCorrupt when the result is not as long as the claim says
 */
export function joinParts(
  parts: LoadedParts,
  claim: Claim,
  description: string,
): { kind: PartContent['kind']; data: Buffer } {
  const root = parts.get(claim.root)!;
  const wrongLength = (): StoredDataCorrupt =>
    new StoredDataCorrupt(
      { namespace: claim.namespace, hash: claim.root },
      description,
      `it is not ${claim.bytes} bytes long`,
    );
  const pieces: Uint8Array[] = [];
  let length = 0;
  const open = [{ content: root, next: 0 }];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const text = top.content.texts[top.next]!;
    length += text.length;
    // Checked on the way: damaged parts could refer to each other so that the whole would not fit into memory.
    if (length > claim.bytes) throw wrongLength();
    pieces.push(text);
    const hole = top.content.holes[top.next++];
    if (hole === undefined) open.pop();
    else open.push({ content: parts.get(hole)!, next: 0 });
  }
  if (length !== claim.bytes) throw wrongLength();
  return { kind: root.kind, data: Buffer.concat(pieces, length) };
}
