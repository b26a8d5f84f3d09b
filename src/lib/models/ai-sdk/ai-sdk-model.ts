/**
 * A language model of a provider of Vercel's AI SDK, such as `openai('gpt-5-mini')`: what `@ai-sdk/provider` calls
 * `LanguageModelV2`, `LanguageModelV3` and `LanguageModelV4`, as far as it is used here.
 */
export interface AiSdkLanguageModel {
  /** `v2` (AI SDK 5), `v3` (AI SDK 6) or `v4` (AI SDK 7). */
  readonly specificationVersion: 'v2' | 'v3' | 'v4';
  readonly provider: string;
  readonly modelId: string;
  doGenerate(options: never): PromiseLike<unknown>;
  /** Streams a reply. Default: texts arrive in one piece for those who watch. */
  doStream?(options: never): PromiseLike<unknown>;
}

/** An embedding model of a provider of Vercel's AI SDK, such as `openai.embedding('text-embedding-3-small')`. */
export interface AiSdkEmbeddingModel {
  /** `v2` (AI SDK 5), `v3` (AI SDK 6) or `v4` (AI SDK 7). */
  readonly specificationVersion: 'v2' | 'v3' | 'v4';
  readonly provider: string;
  readonly modelId: string;
  readonly maxEmbeddingsPerCall: PromiseLike<number | undefined> | number | undefined;
  doEmbed(options: never): PromiseLike<unknown>;
}

const VERSIONS: readonly unknown[] = ['v2', 'v3', 'v4'];

/** Throws TypeError for a value that is not such a model. */
export function assertAiSdkModel(model: unknown, method: 'doGenerate' | 'doEmbed'): void {
  if (typeof model === 'string') {
    throw new TypeError(`fromAiSdk takes a model, not the name "${model}": pass what a provider makes of it`);
  }
  const fields = (typeof model === 'object' && model !== null ? model : {}) as Record<string, unknown>;
  const { specificationVersion, modelId, provider } = fields;
  if (typeof fields[method] !== 'function' || typeof modelId !== 'string' || typeof provider !== 'string') {
    throw new TypeError('fromAiSdk takes a language model or an embedding model of a provider of the AI SDK');
  }
  if (VERSIONS.includes(specificationVersion)) return;
  throw new TypeError(
    `fromAiSdk: the model "${modelId}" has the specification ${String(specificationVersion)}; known are v2, v3 and v4 (AI SDK 5 to 7)`,
  );
}
