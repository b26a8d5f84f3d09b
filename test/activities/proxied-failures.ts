import type { FailureRow } from '../../testing/model-kinds/failure-rows';

/** What proxies say in words: the code is the status. */
function proxied(type: string, said: Record<string, [status: number, message: string]>): Record<string, FailureRow> {
  const rows = Object.entries(said).map(([name, [status, message]]) => [
    name,
    { entry: { status, error: { message, code: String(status) } }, type },
  ]);
  return Object.fromEntries(rows) as Record<string, FailureRow>;
}

/** The texts of LiteLLM, and of the providers behind it. */
export const PROXIED: Record<string, FailureRow> = {
  ...proxied('Filtered', {
    'a policy, by LiteLLM': [
      400,
      'litellm.BadRequestError: litellm.ContentPolicyViolationError: the response was filtered',
    ],
    'a policy of Azure': [
      400,
      "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
    ],
    'a policy of pictures': [400, 'Your request was rejected as a result of our safety system.'],
  }),
  ...proxied('QuotaExhausted', {
    'a budget of LiteLLM': [400, 'Budget has been exceeded! Current cost: 26.075, Max budget: 0.25'],
    'a budget of LiteLLM as 429': [429, 'ExceededBudget: End User=ishaan over budget. Spend=0.0008, Budget=0.0001'],
    'a budget of a deployment': [
      429,
      'No deployments available - crossed budget: Exceeded budget for deployment model_name: m',
    ],
    'a quota of OpenAI behind LiteLLM': [
      429,
      'litellm.RateLimitError: RateLimitError: OpenAIException - You exceeded your current quota, please check your plan and billing details.',
    ],
    'credit that is used up': [
      400,
      'litellm.BadRequestError: AnthropicException - Your credit balance is too low to access the API.',
    ],
  }),
  'a budget, by its type': {
    entry: { status: 429, error: { type: 'budget_exceeded', code: '429' } },
    type: 'QuotaExhausted',
  },
  ...proxied('ContextLength', {
    'a prompt that is too long, by LiteLLM': [
      400,
      'litellm.ContextWindowExceededError: litellm.BadRequestError: OpenAIException - too long',
    ],
    'a prompt that is too long, by llama.cpp': [
      400,
      'request (9000 tokens) exceeds the available context size (4096 tokens), try increasing it',
    ],
  }),
  '501': { entry: { status: 501 }, type: 'NotFound' },
  '429 with the wait that a proxy was told': {
    entry: { status: 429, headers: { 'llm_provider-retry-after': '7' } },
    type: 'RateLimited',
    delay: 7_000,
  },
  '429 with the milliseconds that a proxy was told': {
    entry: { status: 429, headers: { 'llm_provider-retry-after-ms': '2500', 'llm_provider-retry-after': '3' } },
    type: 'RateLimited',
    delay: 2_500,
  },
  '429 with a wait of its own, and that of its provider': {
    entry: { status: 429, headers: { 'llm_provider-retry-after-ms': '2500', 'retry-after': '6' } },
    type: 'RateLimited',
    delay: 6_000,
  },
  '429 of a quota a minute': {
    entry: { status: 429, error: { message: 'You exceeded your current quota. Please retry in 12.5s.' } },
    type: 'RateLimited',
    delay: 4_000,
  },
};
