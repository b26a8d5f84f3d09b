import type { LedgerEntry, ScriptEntry } from './script';

type Body = NonNullable<LedgerEntry['body']>;

export function readEmbeddingBody(text: string): Body | undefined {
  const body = JSON.parse(text) as { model: string; input?: unknown };
  const input = typeof body.input === 'string' ? [body.input] : body.input;
  if (!Array.isArray(input) || input.length === 0 || !input.every((one) => typeof one === 'string')) return undefined;
  return { ...body, messages: input.map((content) => ({ role: 'user', content })) };
}

/**
 * The vectors that an entry gives to the texts of a request. Throws Error when the script has another number of vectors than the
 * request has texts, or no vectors at all.
 */
export function embeddingAnswer(entry: ScriptEntry, { model, messages }: Body): { body: string; tokens: number } {
  if (!('vectors' in entry)) throw new Error('the script answers a request for vectors with something else');
  const { vectors } = entry;
  if (vectors.length !== messages.length) {
    throw new Error(`the script has ${vectors.length} vectors for ${messages.length} texts`);
  }
  const tokens = Math.ceil(messages.reduce((sum, { content }) => sum + content.length, 0) / 4);
  const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }));
  const usage = { prompt_tokens: tokens, total_tokens: tokens };
  return { body: JSON.stringify({ object: 'list', model, data, usage }), tokens };
}
