import fc from 'fast-check';

import { joinParts, loadParts } from '../../../../src/lib/storage/parts/join-parts';
import { readPart, type Part } from '../../../../src/lib/storage/parts/part';
import type { PartStore } from '../../../../src/lib/storage/parts/part-store';
import { splitJson } from '../../../../src/lib/storage/parts/split-json';
import { textOf } from '../payloads';
import { expectWithin } from '../../../../testing/support/processor-time';

function storeOf(parts: readonly Part[]): PartStore {
  const all = new Map(parts.map(({ hash, bytes }) => [hash, bytes]));
  return {
    description: 'memory',
    put: async () => {},
    get: async (_namespace, hashes) =>
      new Map(hashes.flatMap((hash) => (all.has(hash) ? [[hash, all.get(hash)!]] : []))),
    noteNeed: async () => new Set(),
    sweep: async () => ({ deletedParts: 0, freedBytes: 0 }),
    close: async () => {},
  };
}

async function joined(text: string | Buffer, partBytes: number): Promise<Buffer> {
  const bytes = Buffer.from(text);
  const { root, parts } = splitJson(bytes, partBytes);
  const store = storeOf(parts);
  const loaded = await loadParts(store, 'default', [root.hash]);
  return joinParts(loaded, { namespace: 'default', root: root.hash, bytes: bytes.length }, 'memory').data;
}

const hashes = (text: string): Set<string> =>
  new Set(splitJson(Buffer.from(text), 1_024).parts.map(({ hash }) => hash));

describe('splitting JSON', () => {
  test('gives back any JSON, and any bytes, exactly', async () => {
    const json = fc.json({ maxDepth: 6, stringUnit: 'binary' }).map((text) => Buffer.from(text));
    const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
    const brackets = fc.string({
      unit: fc.constantFrom('[', ']', '{', '}', '"', '\\', ',', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaa'),
      maxLength: 60,
    });
    const any = fc.oneof(
      json,
      bytes,
      brackets.map((text) => Buffer.from(text)),
    );
    await fc.assert(
      fc.asyncProperty(any, fc.integer({ min: 64, max: 200 }), async (text, partBytes) => {
        expect((await joined(text, partBytes)).equals(text)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('makes one part of a value, wherever it stands', () => {
    const output = JSON.stringify({ title: 'x', sections: [textOf(3_000), textOf(200)], more: textOf(1_500, 2) });
    const own = hashes(output);
    for (const text of [`{"output":${output},"warnings":[]}`, `[[1,2,{"state":{"reflection_output":${output}}}]]`]) {
      const within = hashes(text);
      const shared = [...own].filter((hash) => within.has(hash));
      // The small rest of the output stands in the skeletons; its long texts are shared.
      expect(shared).toHaveLength(2);
    }
    const large = JSON.stringify(Array.from({ length: 200 }, (_, index) => `line ${index}`));
    expect(hashes(`{"output":${large}}`).has([...hashes(large)][0]!)).toBe(true);
    expect(hashes(large).size).toBe(1);
  });

  test('makes parts of at least the threshold, however a document nests', () => {
    const nested = `${'{"a":['.repeat(900)}"${textOf(1_100)}"${']}'.repeat(900)}`;
    const wide = JSON.stringify(Array.from({ length: 500 }, (_, index) => ({ index, text: textOf(1_030, index + 1) })));
    for (const text of [nested, wide]) {
      const { root, parts } = splitJson(Buffer.from(text), 1_024);
      for (const { hash, bytes } of parts) if (hash !== root.hash) expect(bytes.length).toBeGreaterThanOrEqual(1_024);
    }
    const tooDeep = splitJson(Buffer.from(`${'['.repeat(5_000)}"${textOf(2_000)}"${']'.repeat(5_000)}`), 1_024);
    expect(tooDeep.parts).toHaveLength(1);
  });

  test('splits 5 MB without holding up the process', async () => {
    const text = Buffer.from(
      JSON.stringify(Array.from({ length: 5_000 }, (_, index) => `"quoted" ${textOf(950, index + 1)}\n`)),
    );
    await expectWithin(500, () => splitJson(text, 1_024));
  });

  test('knows damaged parts', () => {
    const { parts } = splitJson(Buffer.from(`{"a":"${textOf(2_000)}"}`), 1_024);
    const skeleton = parts.find(({ bytes }) => bytes[0] === 'S'.charCodeAt(0))!.bytes;
    expect(readPart(skeleton)?.holes).toHaveLength(1);
    for (let length = 0; length < skeleton.length; length++) {
      // Cut right after a text, it has the form of a shorter part: there its hash tells.
      const cut = readPart(skeleton.subarray(0, length));
      if (cut) expect(cut.texts.length).toBe(cut.holes.length + 1);
    }
    expect(readPart(Buffer.from('X'))).toBeUndefined();
    expect(readPart(Buffer.alloc(0))).toBeUndefined();
  });
});
