import type { ReflectionSpec } from '../src/loop/contract/spec';
import { parseSpec, specParts } from '../src/loop/parse/spec';
import { settingsOf } from '../src/loop/parse/settings';

const minimal = { generator: { action: 'llm.call', prompt: 'Write.' }, evaluator: { type: 'schema', schema: {} } };

function problemsOf(more: object): Record<string, string> {
  const parsed = parseSpec({ ...minimal, ...more });
  if (!('problems' in parsed)) throw new Error('the spec is valid');
  return Object.fromEntries(parsed.problems.map(({ path, message }) => [path, message]));
}

describe('specs from outside', () => {
  test('defaults are those of the contract', () => {
    expect(settingsOf(minimal as ReflectionSpec)).toEqual({
      maxIterations: 3,
      qualityThreshold: 0.8,
      onFailure: 'return_best',
      bestVersionSelection: 'highest_score',
      preserveAllVersions: true,
      revision: { strategy: 'hybrid', includePriorVersions: false, includeReflectionHistory: true },
      choosesStrategy: true,
      convergence: {
        plateauIterations: 2,
        improvementThreshold: 0.05,
        detectOscillation: true,
        stabilityThreshold: 0.98,
        repeatedIssues: 2,
      },
      timeouts: { modelCallMs: 120_000, stepMs: 120_000, retryForMs: 3_600_000 },
    });
  });

  test('durations are ms strings or milliseconds', () => {
    const timeouts = { modelCall: '30s', step: 500, retryFor: '2h' };
    expect(settingsOf({ ...minimal, timeouts } as ReflectionSpec).timeouts).toEqual({
      modelCallMs: 30_000,
      stepMs: 500,
      retryForMs: 7_200_000,
    });
    expect(problemsOf({ timeouts: { modelCall: 'soon' } })).toEqual({
      '/timeouts/modelCall': expect.stringMatching(/duration/),
    });
    expect(problemsOf({ timeouts: { step: -1 } })).toEqual({ '/timeouts/step': expect.stringMatching(/duration/) });
  });

  // Timers take whole milliseconds, and Node ends one of more than 24 days at once.
  test.each([
    ['1.1h', 3_960_000],
    [0.2, 1],
    ['30d', 2_147_000_000],
    [1e300, 2_147_000_000],
  ])('a call that may take %j ends by a timer that there is', (step, stepMs) => {
    const spec = { ...minimal, timeouts: { step, modelCall: step } } as ReflectionSpec;
    expect(settingsOf(spec).timeouts).toMatchObject({ stepMs, modelCallMs: stepMs });
  });

  test.each([
    ['maxIterations', 0],
    ['maxIterations', 10_001],
    ['maxIterations', 1.5],
    ['qualityThreshold', 1.1],
    ['qualityThreshold', '0.8'],
    ['onFailure', 'give_up'],
    ['bestVersionSelection', 'random'],
    ['state', [1]],
    ['task', 7],
    ['model', ''],
    ['preserveAllVersions', 'yes'],
  ])('%s: %j is refused with its path', (field, value) => {
    expect(Object.keys(problemsOf({ [field]: value }))).toEqual([`/${field}`]);
  });

  test.each([
    [{ when: 'sometimes' }, '/review/when'],
    [{ when: 'on_exhausted', timeout: 'soon' }, '/review/timeout'],
    [{ when: 'on_exhausted', timeout: '11y' }, '/review/timeout'],
    [{ when: 'on_exhausted', onTimeout: 'shrug' }, '/review/onTimeout'],
    [{ when: 'on_exhausted', who: 'me' }, '/review/who'],
  ])('a review %j is refused with its path', (review, path) => {
    expect(Object.keys(problemsOf({ review }))).toEqual([path]);
  });

  test('a review waits for 7 days, and then the loop stops, unless the spec says otherwise', () => {
    const settings = (review: ReflectionSpec['review']) =>
      settingsOf({ ...minimal, ...(review ? { review } : {}) } as ReflectionSpec).review;
    // `when` is `never` by default.
    expect(problemsOf.bind(undefined, { review: { timeout: '1d' } })).toThrow('the spec is valid');
    expect(settings({ timeout: '1d' })).toBeUndefined();
    expect(settings({ when: 'every_iteration' })).toEqual({
      when: 'every_iteration',
      timeoutMs: 7 * 24 * 60 * 60 * 1_000,
      onTimeout: 'stop',
    });
    expect(settings({ when: 'on_exhausted', timeout: '2h', onTimeout: 'accept' })).toEqual({
      when: 'on_exhausted',
      timeoutMs: 7_200_000,
      onTimeout: 'accept',
    });
    expect(settings({ when: 'never' })).toBeUndefined();
    expect(settings(undefined)).toBeUndefined();
  });

  test('unknown fields are refused, at every depth', () => {
    const generator = { action: 'llm.call', prompt: 'x', colour: 'red' };
    expect(problemsOf({ generator, shape: 'round' })).toEqual({
      '/generator/colour': 'unknown field',
      '/shape': 'unknown field',
    });
  });

  test('what is wrong inside revision and convergence has its path', () => {
    expect(problemsOf({ revision: { strategy: 'guess' }, convergence: { plateauIterations: 0, speed: 1 } })).toEqual({
      '/revision/strategy': expect.stringMatching(/targeted_edit/),
      '/convergence/plateauIterations': expect.any(String),
      '/convergence/speed': 'unknown field',
    });
    expect(parseSpec({ ...minimal, convergence: false })).toHaveProperty('spec.convergence', false);
    expect(problemsOf({ convergence: true })).toEqual({ '/convergence': expect.any(String) });
  });

  test('what is wrong inside memory has its path', () => {
    expect(problemsOf({ memory: { recall: -1, store: 1, expiresAfter: 'soon', speed: 1 } })).toEqual({
      '/memory/agent': 'is required',
      '/memory/recall': expect.any(String),
      '/memory/store': expect.any(String),
      '/memory/expiresAfter': expect.stringMatching(/duration/),
      '/memory/speed': 'unknown field',
    });
    expect(parseSpec({ ...minimal, memory: { agent: 'ada' } })).toHaveProperty('spec.memory', { agent: 'ada' });
  });

  test.each<[string, unknown, string, RegExp]>([
    ['a nameless criterion', { weight: 1 }, '/name', /required/],
    ['a threshold above 1', { name: 'a', threshold: 1.1 }, '/threshold', /./],
    ['a weight below nothing', { name: 'a', weight: -0.1 }, '/weight', /./],
    ['a weight that is no number', { name: 'a', weight: Number.NaN }, '/weight', /./],
    ['an unknown field', { name: 'a', colour: 'red' }, '/colour', /unknown field/],
    ['an unknown evaluator', { name: 'a', evaluator: 'magic' }, '/evaluator', /./],
    ['criteria in criteria', { name: 'a', evaluator: 'criteria' }, '/evaluator', /./],
    ['code without any', { name: 'a', evaluator: 'custom', evaluatorConfig: {} }, '/evaluatorConfig/run', /./],
    ['what an evaluator lacks', { name: 'a', evaluator: 'schema' }, '/evaluatorConfig/schema', /./],
    [
      'what an evaluator does not know',
      { name: 'a', evaluator: 'llm', evaluatorConfig: { temper: 1 } },
      '/evaluatorConfig/temper',
      /unknown field/,
    ],
    [
      "what is the criterion's own",
      { name: 'a', evaluator: 'schema', evaluatorConfig: { schema: true, weight: 2 } },
      '/evaluatorConfig/weight',
      /belongs to the criterion/,
    ],
    ['no questions', { name: 'a', evaluatorConfig: { questions: [] } }, '/evaluatorConfig/questions', /at least one/],
    ['a list for a configuration', { name: 'a', evaluatorConfig: [] }, '/evaluatorConfig', /object/],
  ])('%s is refused with its path', (_what, criterion, path, message) => {
    const problems = problemsOf({ evaluator: { type: 'criteria', criteria: ['tone', criterion] } });
    expect(problems).toEqual({ [`/evaluator/criteria/1${path}`]: expect.stringMatching(message) as string });
  });

  test('the names of criteria differ', () => {
    expect(problemsOf({ evaluator: { type: 'criteria', criteria: ['tone', { name: 'tone' }] } })).toEqual({
      '/evaluator/criteria/1': 'there is another criterion "tone"',
    });
  });

  test('what a comparison needs is said', () => {
    expect(problemsOf({ evaluator: { type: 'comparison', method: 'taste' } })).toEqual({
      '/evaluator/against': expect.any(String) as string,
      '/evaluator/method': expect.any(String) as string,
    });
  });

  test.each([[0], [10], [1.5]])('%d votes are refused', (votes) => {
    expect(Object.keys(problemsOf({ judge: { votes } }))).toEqual(['/judge/votes']);
  });

  test('mistakes are told for the form that was meant', () => {
    expect(problemsOf({ generator: { action: 'llm.call', prompt: 'x', temperature: 3, maxTokens: 0 } })).toEqual({
      '/generator/temperature': expect.any(String),
      '/generator/maxTokens': expect.any(String),
    });
    expect(problemsOf({ generator: { action: 'mine', prompt: 'x' } })).toEqual({
      '/generator/action': 'is "mine": only llm.call takes `prompt`; other actions take `with`',
    });
    expect(problemsOf({ generator: { action: 'llm.cal', prompt: 'x', temperature: 1, tools: ['y'] } })).toEqual({
      '/generator/action':
        'is "llm.cal" (did you mean llm.call?): only llm.call takes `prompt`, `temperature`, `tools`; other actions take `with`',
    });
    expect(problemsOf({ corrector: { action: 'llm_call', mode: 'hint', prompt: 'x' } })).toEqual({
      '/corrector/action': expect.stringContaining('(did you mean llm.call?)'),
    });
    expect(problemsOf({ generator: { action: 'mine', with: {}, prompt: 'x' } })).toEqual({
      '/generator/prompt': 'unknown field',
    });
    expect(problemsOf({ generator: { run: 'return 1', language: 'perl', with: {} } })).toEqual({
      '/generator/language': expect.any(String),
      '/generator/with': 'unknown field',
    });
  });

  test('a list of evaluators names the one that is wrong', () => {
    const evaluator = [minimal.evaluator, { type: 'llm', weight: -1 }, { type: 'magic' }];
    expect(problemsOf({ evaluator })).toEqual({
      '/evaluator/1/weight': expect.any(String),
      '/evaluator/2/type': expect.stringMatching(/schema or llm/),
    });
    expect(problemsOf({ evaluator: [] })).toEqual({ '/evaluator': expect.stringMatching(/at least one/) });
  });

  test('what is missing is said to be required', () => {
    const parsed = parseSpec({});
    expect(parsed).toEqual({
      problems: expect.arrayContaining([
        { path: '/generator', message: 'is required' },
        { path: '/evaluator', message: 'is required' },
      ]),
    });
  });

  test.each([
    [null, 'null'],
    ['text', 'a text'],
    [[], 'a list: start a run for each spec, or a batch for one spec with many inputs'],
    [7, '7'],
    [undefined, 'undefined'],
  ])('%j is no spec', (value, what) => {
    expect(parseSpec(value)).toEqual({
      problems: [{ path: '', message: `a spec must be a JSON object, not ${what}` }],
    });
  });

  test.each([
    ['a date', { at: new Date(0) }, '/state/at', /^is a Date, which JSON does not have: give a text/],
    ['a function', { run: () => 1 }, '/state/run', /^is a function/],
    ['NaN', { n: Number.NaN }, '/state/n', /^is NaN.*a number or null/],
    ['a class', { map: [1, new Map()] }, '/state/map/1', /^is a Map.*Object\.fromEntries/],
    ['a depth of 3,000', JSON.parse(`${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}`), '/state', /^is nested more/],
  ])('state with %s is not JSON', (_name, state, path, message) => {
    expect(problemsOf({ state })).toEqual({ [path]: expect.stringMatching(message) });
  });

  test('keys with slashes and tildes are escaped in paths', () => {
    expect(Object.keys(problemsOf({ 'a/b~c': 1 }))).toEqual(['/a~1b~0c']);
  });

  test('the well-formed parts of a bad spec can still be looked into', () => {
    const parts = specParts({ ...minimal, evaluator: [minimal.evaluator, { type: 'magic' }], maxIterations: 'many' });
    expect(parts).toMatchObject({ generator: minimal.generator, evaluators: [{ path: '/evaluator/0' }] });
    expect(parts).not.toHaveProperty('maxIterations');
  });

  test('a spec keeps what is in its state, keys with special names too', () => {
    const state = JSON.parse('{"__proto__": {"x": 1}, "constructor": 2, "list": [1, null, "a"]}');
    const parsed = parseSpec({ ...minimal, state });
    expect('spec' in parsed && JSON.stringify(parsed.spec.state)).toBe(JSON.stringify(state));
  });
});
