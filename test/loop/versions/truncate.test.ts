import { carriedState } from '../../../src/loop/moves/continue-as-new-state';
import { historyPage } from '../../../src/loop/versions/history-page';
import { initialState, type LoopState, type ReflectionVersion } from '../../../src/loop/state/loop-state';
import { resultOf } from '../../../src/loop/versions/result';
import { boundCallsOfVersions, truncateVersions } from '../../../src/loop/versions/truncate';
import { settleVersion, stop, reopenLatest, recordVerdict } from '../../../src/loop/moves/transitions';
import type { ReflectionSpec } from '../../../src/loop/contract/spec';
import { settingsOf } from '../../../src/loop/parse/settings';
import { anEvaluation, aVersion, DEFAULT_SETTINGS } from '../../../testing/support/versions';
import { jsonBytes, utf8Bytes } from '../../../src/lib/json/json-bytes';

function large(iteration: number, bytes = 64 * 1024): ReflectionVersion {
  const evaluation = anEvaluation('fail', 0.5, { issues: ['too long'] });
  return { ...aVersion(iteration, evaluation), output: 'x'.repeat(bytes) };
}

function many(count: number): ReflectionVersion[] {
  return Array.from({ length: count }, (_, index) => large(index + 1));
}

const preparation = { settings: DEFAULT_SETTINGS, searchAttributes: false, evaluators: [], actionNeeds: {} };

describe('keeping large histories small', () => {
  test.each(['plain', 'ümläut', '漢字', '😀 pair', ''])('bytes are counted as UTF-8: %s', (text) => {
    expect(utf8Bytes(text)).toBe(Buffer.byteLength(text));
  });

  test('given versions that fit, nothing is removed', () => {
    const versions = many(3);
    expect(truncateVersions(versions, new Set(), 1024 * 1024)).toEqual(versions);
  });

  test('outputs go first, oldest first; kept versions stay whole', () => {
    const slim = truncateVersions(many(40), new Set([2, 40]), 1024 * 1024);
    expect(slim).toHaveLength(40);
    expect(slim[0]).toMatchObject({ iteration: 1, output: null, omittedBytes: 64 * 1024 + 2 });
    expect(slim[0]!.evaluation.issues).toHaveLength(1);
    expect(slim[1]!.output).toHaveLength(64 * 1024);
    expect(slim[38]!.output).toHaveLength(64 * 1024);
    const others = slim.filter(({ iteration }) => iteration !== 2 && iteration !== 40);
    expect(others.reduce((sum, version) => sum + jsonBytes(version), 0)).toBeLessThanOrEqual(1024 * 1024);
  });

  test('then details of evaluations, then the versions themselves', () => {
    const slim = truncateVersions(many(1_000), new Set([1]), 64 * 1024);
    expect(slim[0]!.iteration).toBe(1);
    expect(slim[1]!.iteration).toBeGreaterThan(2);
    expect(slim.at(-1)!.iteration).toBe(1_000);
    expect(slim.slice(1).reduce((sum, version) => sum + jsonBytes(version), 0)).toBeLessThanOrEqual(64 * 1024);
  });

  test.each([2_000, 4_500, 9_000, 30_000])(
    'what is kept in %i bytes does not depend on how long evaluators took',
    (bytes) => {
      const lasting = (ms: number) => {
        const versions = Array.from({ length: 40 }, (_, index) => large(index + 1, 500));
        for (const { evaluation } of versions) evaluation.evaluators[0]!.ms = ms;
        return truncateVersions(versions, new Set([40]), bytes).map(({ iteration, omittedBytes, evaluation }) => {
          return { iteration, omittedBytes, issues: evaluation.issues.length };
        });
      };
      expect(lasting(3_600_000)).toEqual(lasting(1));
    },
  );

  test('a result of 5,000 versions stays near 1 MiB and still counts them all', () => {
    const state = initialState(0);
    state.versions = Array.from({ length: 5_000 }, (_, index) => large(index + 1, 2_000));
    state.bestIteration = 1;
    state.stopped = { reason: 'max_iterations' };
    const result = resultOf(state, DEFAULT_SETTINGS, 0);
    expect(jsonBytes(result)).toBeLessThan(1.2 * 1024 * 1024);
    expect(result.history).toMatchObject({ totalIterations: 5_000, bestIteration: 1 });
    expect(result.history.versions[0]!.output).toHaveLength(2_000);
  });

  test('the next run of a chain gets the best and the latest whole, the others without outputs', () => {
    const state = initialState(0);
    state.versions = many(50);
    state.versions[6] = { ...large(7), evaluation: anEvaluation('fail', 0.6) };
    state.bestIteration = 7;
    const carried = carriedState({ generator: { action: 'x' }, evaluator: [] }, preparation, state);
    expect(jsonBytes(carried)).toBeLessThan(64 * 1024 + 2 * 65 * 1024);
    expect(carried.carriedThrough).toBe(50);
    expect(carried.versions.find(({ iteration }) => iteration === 7)!.output).toHaveLength(64 * 1024);
    expect(carried.versions.at(-1)!.output).toHaveLength(64 * 1024);
    expect(carried.versions.find(({ iteration }) => iteration === 8)!.output).toBeNull();
  });

  test('the next run gets the replies of versions that it gets whole, unless they are large', () => {
    const text = (length: number) => ({ text: 'x'.repeat(length) });
    const carriedReplies = (best: object, last: object) => {
      const replies = { 3: {}, 7: best, 50: last } as LoopState['replies'];
      const state: LoopState = { ...initialState(0), versions: many(50), bestIteration: 7, replies };
      return carriedState({ generator: { action: 'x' }, evaluator: [] }, preparation, state).replies;
    };
    expect(carriedReplies({}, text(9))).toEqual({ 7: {}, 50: text(9) });
    expect(carriedReplies(text(40_000), {})).toEqual({ 50: {} });
    expect(carriedReplies(text(40_000), text(40_000))).toBeUndefined();
  });

  test('a spec whose templates read the history keeps recent outputs', () => {
    const state = initialState(0);
    state.versions = many(50);
    state.bestIteration = 7;
    const generator = { action: 'llm.call', prompt: '{{ state.reflection_history }}' };
    const carried = carriedState({ generator, evaluator: [] }, preparation, state);
    expect(carried.versions.filter(({ output }) => output !== null).length).toBeGreaterThanOrEqual(4);
  });

  test.each<[string, Partial<ReflectionSpec>]>([
    ['the task', { task: 'Better than {{ state.reflection_best }}' }],
    ['the prompt of all judges', { reflectionPrompt: '{{ state.reflection_history }}' }],
    ['a second judge', { judge: { second: { type: 'llm', prompt: '{{ state.reflection_history }}' } } }],
    ['a hook', { hooks: { onReflection: { run: 'return len(state["reflection_history"]) > 3' } } }],
    ['the built-in revision', { revision: { includePriorVersions: true } }],
  ])('so does one where %s reads it', (_name, more) => {
    const state = { ...initialState(0), versions: many(50), bestIteration: 7 };
    const spec: ReflectionSpec = { generator: { action: 'x' }, evaluator: [], ...more };
    const { versions } = carriedState(spec, { ...preparation, settings: settingsOf(spec) }, state);
    expect(versions.filter(({ output }) => output !== null).length).toBeGreaterThanOrEqual(4);
  });

  test('small outputs travel through a chain whole, so that its result has them, and large ones do not', () => {
    const carriedOf = (count: number, length: number) => {
      const state = initialState(0);
      state.versions = Array.from({ length: count }, (_, index) => large(index + 1, length));
      return carriedState({ generator: { action: 'x' }, evaluator: [] }, preparation, state).versions;
    };
    expect(carriedOf(50, 500).map(({ output }) => (output as string).length)).toEqual(Array(50).fill(500));
    // They stand in two events of each hand-over: a hundred iterations of 10 KB are to take 2.6 MB of history at most.
    const others = carriedOf(50, 10_000).filter(({ output }) => output !== null);
    expect(others.length).toBeGreaterThan(1);
    expect(jsonBytes(others)).toBeLessThan(64 * 1024 + 2 * 11_000);
  });

  test('the version that the next revision would start from is passed on, too', () => {
    const state = initialState(0);
    state.versions = many(50).map((version) => ({
      ...version,
      evaluation: anEvaluation('fail', version.iteration === 9 ? 0.7 : 0.5),
    }));
    state.bestIteration = 50;
    const carried = carriedState({ generator: { action: 'x' }, evaluator: [] }, preparation, state);
    expect(carried.versions.filter(({ output }) => output !== null).map(({ iteration }) => iteration)).toEqual([9, 50]);
  });

  test('a version with a worse second judgement stays the best if the others have lost their outputs', () => {
    const state = initialState(0);
    state.versions = [
      { ...large(1, 10), output: null, omittedBytes: 12, evaluation: anEvaluation('fail', 0.6) },
      { ...large(2, 10), evaluation: anEvaluation('fail', 0.3) },
      { ...large(3, 10), evaluation: anEvaluation('fail', 0.7) },
    ];
    state.bestIteration = 3;
    reopenLatest(state, DEFAULT_SETTINGS);
    const verdict = { name: 'a', type: 'a', issues: [], suggestions: [], confidence: 1, ms: 1 };
    const plan = { name: 'a', type: 'a', weight: 1, gate: false, local: true };
    recordVerdict(state, state.pending!, 0, { ...verdict, outcome: 'fail', score: 0.5 });
    settleVersion(state, DEFAULT_SETTINGS, [plan], '');
    state.stopped = { reason: 'max_iterations' };
    expect(resultOf(state, DEFAULT_SETTINGS, 0)).toMatchObject({ bestOutput: large(3, 10).output });
  });

  test('a version of an earlier run that is judged again is in the histories of both runs, and once in the next run', () => {
    const state = { ...initialState(0), versions: [1, 2, 3].map((each) => large(each, 10)), carriedThrough: 3 };
    expect(historyPage(state).versions).toEqual([]);
    reopenLatest(state, DEFAULT_SETTINGS);
    stop(state, DEFAULT_SETTINGS, { reason: 'aborted' }, '');
    expect(historyPage(state).versions.map(({ iteration }) => iteration)).toEqual([3]);
    const next = carriedState({ generator: { action: 'x' }, evaluator: [] }, preparation, state);
    expect(historyPage(next).versions).toEqual([]);
  });

  test('the history of a run is paged, and leaves earlier runs to themselves', () => {
    const versions = many(60);
    const first = historyPage({ versions, carriedThrough: 10 });
    expect(first.versions[0]!.iteration).toBe(11);
    expect(first.next).toBe(first.versions.at(-1)!.iteration + 1);
    expect(jsonBytes(first)).toBeLessThan(1.1 * 1024 * 1024);
    const seen = [...first.versions];
    for (let from = first.next; from !== undefined;) {
      const page = historyPage({ versions, carriedThrough: 10 }, { from });
      seen.push(...page.versions);
      from = page.next;
    }
    expect(seen.map(({ iteration }) => iteration)).toEqual(Array.from({ length: 50 }, (_, index) => index + 11));
  });

  test('a version larger than a page still comes', () => {
    const page = historyPage({ versions: [large(1, 3_000_000), large(2)], carriedThrough: 0 });
    expect(page.versions.map(({ iteration }) => iteration)).toEqual([1]);
    expect(page.next).toBe(2);
  });
});

test('calls that all fit are not counted as left out, and of those that do not the number stays', () => {
  const call = (name: string, result = 'x') => ({ name, result, outcome: 'ok', source: 'recorded' }) as const;
  const judged = { ...anEvaluation('fail', 0.4), calls: [call('looked')] };
  const small = [1, 2].map((iteration) => ({ ...aVersion(iteration, judged), calls: [call('a'), call('b')] }));
  expect(boundCallsOfVersions(small, new Set([1]))).toEqual(small);
  const lots = Array.from({ length: 2_000 }, (_, index) => call(`call ${index}`));
  const [bounded] = boundCallsOfVersions([{ ...aVersion(1, judged), calls: lots, callsOmitted: 3 }], new Set());
  expect(bounded!.calls!.length + bounded!.callsOmitted!).toBe(2_003);
});
