import { type Ending, readEnding } from '../../../../src/lib/models/answer';

const WORDS: Record<Exclude<Ending, 'unknown'>, unknown[]> = {
  whole: [
    undefined,
    null,
    '',
    'stop',
    'STOP',
    'end_turn',
    'eos_token',
    'stop_sequence',
    'tool_calls',
    'tool-calls',
    'tool_use',
    'TOOL_CALL',
    'function_call',
    'COMPLETE',
    'completed',
    'unknown',
    'FINISH_REASON_UNSPECIFIED',
  ],
  length: [
    'length',
    'max_tokens',
    'MAX_TOKENS',
    'max_output_tokens',
    'model_length',
    'incomplete',
    'token_limit',
    'time_limit',
    'model_context_window_exceeded',
    'not_finished',
    'truncated',
  ],
  filtered: [
    'content_filter',
    'content-filter',
    'content_filtered',
    'SAFETY',
    'IMAGE_SAFETY',
    'safety',
    'RECITATION',
    'prohibited_content',
    'BLOCKLIST',
    'SPII',
    'guardrail_intervened',
    'ERROR_TOXIC',
    'refusal',
    'sensitive',
    'LANGUAGE',
  ],
  broken: [
    'error',
    'ERROR',
    'abort',
    'aborted',
    'cancelled',
    'USER_CANCEL',
    'insufficient_system_resource',
    'network_error',
    'timeout',
    'failed',
    'MALFORMED_FUNCTION_CALL',
    'interrupted',
  ],
};

test.each(Object.entries(WORDS))('providers call the end of a reply that is %s by many words', (ending, words) => {
  expect(words.map((word) => [word, readEnding(word)])).toEqual(words.map((word) => [word, ending]));
});

test.each(['OTHER', 'pause_turn', 'repetition', 'maximal', 7, {}])('the word %p is not known', (word) => {
  expect(readEnding(word)).toBe('unknown');
});
