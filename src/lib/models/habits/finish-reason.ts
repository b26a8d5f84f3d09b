/**
 * The way in which a reply ended, by its provider's word. `broken`: something failed on the way, and the part that
 * arrived is not a reply.
 */
export type Ending = 'whole' | 'length' | 'filtered' | 'broken' | 'unknown';

/**
 * The words of providers, in lower case and with underscores: OpenAI, Anthropic, Gemini, Mistral, Cohere, Bedrock, DeepSeek,
 * watsonx, Zhipu, vLLM, SGLang, TGI, Ollama.
 */
const WORDS: readonly [Exclude<Ending, 'unknown'>, RegExp][] = [
  [
    'whole',
    /^(?:stop|stop_sequence|stop_token|stopped|eos|eos_token|end|end_turn|end_of_text|complete|completed|finish|finished|done|success|tool_calls?|tool_use|tool|function_calls?)?$/,
  ],
  [
    'broken',
    /error(?!_toxic)|abort|cancel|interrupt|^fail|^timeout$|insufficient_system_resource|^malformed|^unexpected/,
  ],
  [
    'filtered',
    /filter|safety|recitation|prohibited|blocklist|blocked|spii|guardrail|toxic|refus|sensitive|moderation|policy|^language$/,
  ],
  ['length', /length|max_|limit|incomplete|not_finished|truncat|window/],
];

/** The words that only report that the provider gave no reason. */
const UNSAID = /^(?:finish_reason_)?(?:unspecified|unknown|null|none)$/;

/** Returns the ending of a reply that a provider's word names. */
export function readEnding(reason: unknown): Ending {
  if (reason == null) return 'whole';
  if (typeof reason !== 'string') return 'unknown';
  const word = reason
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')
    .replace(/^finish_reason_/, '');
  if (UNSAID.test(word)) return 'whole';
  return WORDS.find(([, named]) => named.test(word))?.[0] ?? 'unknown';
}
