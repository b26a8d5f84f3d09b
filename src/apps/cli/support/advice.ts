const SAME_QUEUE = 'All workers of a queue need the same actions and models.';
const MODEL_CHECK = '`npx reflect doctor --call`, run where the worker runs, asks the endpoint.';

/** Advice about a failure, by its type. Types whose message already gives advice are left out. */
const BY_TYPE: Readonly<Record<string, string>> = {
  UnknownAction: `Correct the name, or give the action to \`createWorker\` or \`ReflectionPlugin\`. ${SAME_QUEUE}`,
  UnknownModel: `Correct the name, or give the model to \`createWorker\`, \`ReflectionPlugin\` or the file of --models of the worker (and to --allow-models, if that is set). ${SAME_QUEUE}`,
  'Model.Unauthorized': `Set OPENAI_API_KEY (and OPENAI_BASE_URL) where the worker runs. ${MODEL_CHECK}`,
  'Model.Unavailable': `Check OPENAI_BASE_URL and the network where the worker runs. ${MODEL_CHECK}`,
  'Model.NotFound': `Correct \`model\`, or OPENAI_MODEL and OPENAI_BASE_URL where the worker runs. ${MODEL_CHECK}`,
  'Model.QuotaExhausted': "Look at the model provider's billing page.",
  'Model.RateLimited': 'Run it again later, or raise `timeouts.retryFor`: the provider takes no more calls now.',
  'Model.Timeout': 'Raise `timeouts.modelCall`, or ask for shorter outputs.',
  'Model.ContextLength': 'Shorten the prompt or the state, or name a model that takes more.',
  'Model.BadRequest': 'The endpoint does not take what the step asks for: correct the step, or name another model.',
  'Model.InvalidReply': 'Correct the code of the model (`call` or `embed`), where the worker is made.',
  'Model.ReplyTooLarge': 'Ask for shorter outputs, or set `maxReplyBytes` of the model.',
  'Model.Filtered': "The provider's filter refused the prompt or the output: change the prompt.",
  'Model.Refused': 'The model refused to answer: change the prompt.',
  'Model.Empty': 'The model gave no text, again and again: raise `maxTokens`, or name another model.',
  'Model.Interrupted': MODEL_CHECK,
  'Model.CircuitOpen': `The model failed several times in a row, and is left alone for a while. ${MODEL_CHECK}`,
  SandboxUnavailable: '`npx reflect doctor`, run where the worker runs, says how far this machine can shut in code.',
};

const BY_MESSAGE: readonly [pattern: RegExp, advice: string][] = [
  [/^\S+ {2}data: is required/m, 'Add --data, or `data:` to the file.'],
  [/search attribute/, 'Register them with `npx reflect doctor --fix`.'],
];

export function adviceFor(type: string, message: string): string | undefined {
  if (Object.hasOwn(BY_TYPE, type)) return BY_TYPE[type];
  return BY_MESSAGE.find(([pattern]) => pattern.test(message))?.[1];
}

export function advisedTypes(): string[] {
  return Object.keys(BY_TYPE);
}
