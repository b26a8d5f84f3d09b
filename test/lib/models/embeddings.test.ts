import { createModels } from '../../../src/lib/models';
import type { EmbeddingRequest, ModelsOptions } from '../../../src/lib/models';
import { embedderOf } from '../../../src/worker/embedder';
import { requestsOf } from '../../../src/apps/testing/scripted-model/ledger';
import type { ScriptEntry } from '../../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../../src/apps/testing/scripted-model/server';

const KEY = 'a-very-secret-value';

function request(texts: string[], more: Partial<EmbeddingRequest> = {}): EmbeddingRequest {
  return { texts, timeoutMs: 5_000, signal: new AbortController().signal, ...more };
}

describe('models of embeddings', () => {
  let server: ScriptedOpenAI;
  afterEach(() => server.close().catch(() => undefined));

  async function models(script: ScriptEntry[], options: ModelsOptions = {}) {
    server = await ScriptedOpenAI.start({ keepAuthorization: true, script });
    const config = { name: 'small', model: 'small-1', baseUrl: server.baseUrl };
    return createModels([config], { OPENAI_API_KEY: KEY }, options);
  }

  test('many texts become vectors in their order, in one call that costs what its tokens cost', async () => {
    const vectors = [
      [1, 0.5],
      [-0.25, 2],
    ];
    const prices = { 'small-1': { inputPerMillion: 1_000_000, outputPerMillion: 0 } };
    const { embed } = await models([{ vectors }], { prices });
    expect(await embed(request(['abcd', 'efgh']))).toEqual({
      vectors,
      usage: expect.objectContaining({ promptTokens: 2, completionTokens: 0, modelCalls: 1, usd: 2 }),
    });
    const [{ body, path, authorization }] = requestsOf(server.ledger) as [ReturnType<typeof requestsOf>[number]];
    expect(path).toBe('/v1/embeddings');
    expect(body).toMatchObject({ model: 'small-1', input: ['abcd', 'efgh'], encoding_format: 'float' });
    expect(authorization).toBe(`Bearer ${KEY}`);
  });

  test.each<[string, ScriptEntry]>([
    ['a text without a vector', { vectors: [[]] }],
    ['a failing endpoint', { status: 500, error: { message: `refused ${KEY}` } }],
    ['a page', { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' }],
  ])('%s is an error, without the key', async (_, entry) => {
    const failing = (await models([entry])).embed(request(['a']));
    await expect(failing).rejects.toThrow(/^(?!.*a-very-secret-value)/s);
  });

  test('one that never answers ends in time, and counts for its circuit', async () => {
    const hangs = { fault: 'hang' as const };
    const { embed, circuitStates } = await models([hangs, hangs], { circuitBreaker: { failures: 2 } });
    for (let call = 0; call < 2; call += 1) {
      await expect(embed(request(['a'], { timeoutMs: 1_000 }))).rejects.toThrow('No whole reply within 1000 ms');
    }
    expect(circuitStates()).toMatchObject([{ model: 'small-1', state: 'open' }]);
    await expect(embed(request(['a']))).rejects.toThrow(/failed again and again/);
    expect(requestsOf(server.ledger)).toHaveLength(2);
  });

  test('a worker refuses a name that is not configured, and knows the provider’s name', async () => {
    const known = await models([{ vectors: [[1]] }]);
    expect(() => embedderOf(known, 'huge')).toThrow('model "huge" is not configured on this worker; it has small');
    expect(embedderOf(known, undefined)).toBeUndefined();
    const embedder = embedderOf(known, 'small')!;
    expect(embedder.model).toBe('small-1');
    expect(await embedder.embed(['a'])).toEqual([[1]]);
  });

  test('a script that has no vectors left, or something else, fails the test', async () => {
    const { embed } = await models([{ reply: 'no vector' }]);
    await expect(embed(request(['a']))).rejects.toThrow();
    await expect(embed(request(['a']))).rejects.toMatchObject({ code: 'script_exhausted' });
    await expect(server.close()).rejects.toThrow('something else');
  });
});
