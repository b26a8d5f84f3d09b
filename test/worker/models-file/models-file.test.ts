import { parseModelsFile } from '../../../src/worker/models-file/read-models-file';
import { createModels } from '../../../src/lib/models';
import { SpecFileError } from '../../../src/lib/yaml/spec-file-error';

const FILE = `
endpoints:
  gateway:
    base_url: https://models.example.com/v1
    api_key_variable: GATEWAY_KEY
    headers_from_variables: { X-Team: TEAM_TOKEN }
    calls_per_second: 5
    concurrent_calls: 8
  here: { base_url: 'http://127.0.0.1:8080/v1' }
models:
  writer:
    endpoint: gateway
    model: big-1
    prices: { input_per_million: 2, output_per_million: 8 }
    context_window: 128000
    fallback: small_one
  small_one: { endpoint: here, model: small-1, structured_output: false, max_output_tokens: 2000, max_reply_bytes: 1000000, extra_body: { chat_template_kwargs: { enable_thinking: false } } }
  plain: { model: gpt-5-mini, reasoning_effort: low }
default: small_one
`;
const ENV = { TEAM_TOKEN: 'S3CRET', GATEWAY_KEY: 'key' };

test('models come with what their endpoint has, the default first', () => {
  const models = parseModelsFile(FILE, 'models.yaml', ENV);
  expect(models).toEqual([
    {
      name: 'small_one',
      model: 'small-1',
      baseUrl: 'http://127.0.0.1:8080/v1',
      structuredOutput: false,
      maxOutputTokens: 2000,
      maxReplyBytes: 1_000_000,
      extraBody: { chat_template_kwargs: { enable_thinking: false } },
    },
    {
      name: 'writer',
      model: 'big-1',
      baseUrl: 'https://models.example.com/v1',
      apiKeyVariable: 'GATEWAY_KEY',
      headers: { 'X-Team': 'S3CRET' },
      endpointLimits: { callsPerSecond: 5, concurrentCalls: 8 },
      prices: { inputPerMillion: 2, outputPerMillion: 8 },
      contextWindow: 128000,
      fallback: 'small_one',
    },
    { name: 'plain', model: 'gpt-5-mini', reasoningEffort: 'low' },
  ]);
  const served = createModels(models, ENV);
  expect(served.served.defaultModel).toBe('small_one');
  expect(served.problem('writer')).toBeUndefined();
  expect(served.problem('big-1')).toMatch(/is not configured on this worker/);
});

/** Mistakes, and where the file has them: path as it is written there, line, message. */
test.each<[string, string, { path: string; line: number; message: RegExp }[]]>([
  ['no object', '- writer', [{ path: '', line: 1, message: /must be an object with `models`/ }]],
  ['no models', 'endpoints: {}', [{ path: '', line: 1, message: /must have `models`/ }]],
  ['no model at all', 'models: {}', [{ path: 'models', line: 1, message: /at least one/ }]],
  [
    'a field at the top that is misspelled',
    'modles: {}\nmodels: { a: { model: x } }',
    [{ path: 'modles', line: 1, message: /unknown field.*models/ }],
  ],
  [
    'several mistakes at once',
    'models:\n  a:\n    model: x\n    context_window: -1\n    prices: { input_per_million: cheap }\n  b: { endpoint: nowhere }\n',
    [
      { path: 'models.a.context_window', line: 4, message: /./ },
      { path: 'models.a.prices.input_per_million', line: 5, message: /number/ },
      { path: 'models.a.prices.output_per_million', line: 5, message: /is required/ },
      { path: 'models.b.model', line: 6, message: /is required/ },
      { path: 'models.b.endpoint', line: 6, message: /there is no endpoint "nowhere"/ },
    ],
  ],
  [
    'a key in the file',
    'endpoints: { e: { base_url: "https://user:pass@models.example.com" } }\nmodels: { a: { model: x, endpoint: e } }',
    [{ path: 'endpoints.e.base_url', line: 1, message: /without a user or password/ }],
  ],
  [
    'a variable that is not set',
    'endpoints: { e: { headers_from_variables: { X-A: NOT_SET } } }\nmodels: { a: { model: x } }',
    [{ path: 'endpoints.e.headers_from_variables.X-A', line: 1, message: /NOT_SET is not set/ }],
  ],
  [
    'a fallback and a default that are no models',
    'models: { writer: { model: x, fallback: writr } }\ndefault: writr',
    [
      { path: 'models.writer.fallback', line: 1, message: /there is no model "writr".*writer/ },
      { path: 'default', line: 2, message: /there is no model "writr".*writer/ },
    ],
  ],
])('%s is refused with its place', (_what, text, expected) => {
  let caught: unknown;
  try {
    parseModelsFile(text, 'models.yaml', {});
  } catch (error) {
    caught = error;
  }
  expect(caught).toBeInstanceOf(SpecFileError);
  const { problems } = caught as SpecFileError;
  const found = problems.map(({ path, line, message }) => ({ path, line, message }));
  for (const each of expected)
    expect(found).toContainEqual({ ...each, message: expect.stringMatching(each.message) as string });
  expect(found).toHaveLength(expected.length);
  expect((caught as Error).message).not.toContain('pass@');
});
