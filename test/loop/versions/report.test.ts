import { reportOf } from '../../../src/loop/versions/report';
import { initialState, type ReflectionVersion } from '../../../src/loop/state/loop-state';
import { resultOf } from '../../../src/loop/versions/result';
import { truncateVersions } from '../../../src/loop/versions/truncate';
import { anEvaluation, aVersion, DEFAULT_SETTINGS } from '../../../testing/support/versions';
import { jsonBytes } from '../../../src/lib/json/json-bytes';

function failing(iteration: number, score: number, issues: string[], basedOn?: number): ReflectionVersion {
  const version = aVersion(iteration, anEvaluation('fail', score, { issues }));
  return { ...version, ...(basedOn === undefined ? {} : { basedOn }) };
}

const fates = (versions: ReflectionVersion[]) =>
  Object.fromEntries(reportOf(versions).issues.map(({ message, fate }) => [message, fate]));

describe('the report of a run (meta-reflection)', () => {
  test('says of each issue whether it was resolved, came back or never moved', () => {
    const versions = [failing(1, 0.4, ['a', 'b', 'c']), failing(2, 0.5, ['b']), failing(3, 0.5, ['b', 'c'])];
    expect(fates(versions)).toEqual({ a: 'resolved', b: 'unresolved', c: 'returned' });
    expect(reportOf(versions).issues[2]).toMatchObject({ message: 'c', firstSeen: 1, lastSeen: 3 });
  });

  test('a discarded version neither resolves nor leaves issues', () => {
    const versions = [failing(1, 0.6, ['a', 'b']), failing(2, 0.1, ['worse']), failing(3, 0.7, ['b'], 1)];
    expect(fates(versions)).toEqual({ a: 'resolved', b: 'unresolved', worse: 'left_behind' });
  });

  test('is about the returned version: a worse version after it resolves nothing', () => {
    const state = initialState(0);
    state.versions = [failing(1, 0.6, ['a', 'b']), failing(2, 0.8, ['b']), failing(3, 0.1, ['worse'])];
    state.bestIteration = 2;
    state.stopped = { reason: 'max_iterations' };
    const told = (onFailure: 'return_best' | 'return_last') =>
      resultOf(state, { ...DEFAULT_SETTINGS, onFailure }, 0).report.issues.map(({ message, fate }) => [message, fate]);
    expect(told('return_best')).toEqual([
      ['a', 'resolved'],
      ['b', 'unresolved'],
      ['worse', 'left_behind'],
    ]);
    expect(told('return_last')).toEqual([
      ['a', 'resolved'],
      ['b', 'resolved'],
      ['worse', 'unresolved'],
    ]);
  });

  test('an unjudged version changes nothing', () => {
    const unjudged = aVersion(2, anEvaluation('inconclusive', null));
    expect(fates([failing(1, 0.6, ['a']), unjudged, failing(3, 0.7, ['a'])])).toEqual({ a: 'unresolved' });
  });

  test('issues that a chain of runs dropped are neither resolved nor new later', () => {
    const versions = [failing(1, 0.6, ['a', 'b']), ...[2, 3, 4].map((each) => failing(each, 0.5, ['a', 'c']))];
    // The best and the latest travel whole, and so does what fits.
    const carried = truncateVersions(versions, new Set([1, 4]), 2 * jsonBytes(versions[1]) - 100);
    expect(carried.map(({ evaluation }) => evaluation.issues.length)).toEqual([2, 0, 2, 2]);
    const whole = [...carried, failing(5, 0.5, ['a'])];
    expect(fates(whole)).toEqual({ a: 'unresolved', b: 'resolved', c: 'resolved' });
    expect(reportOf(whole).iterations.map(({ iteration, issuesNew }) => [iteration, issuesNew])).toEqual([
      [1, 2],
      [4, 0],
      [5, 0],
    ]);
  });

  test('compares each iteration with the version that it was made from', () => {
    const versions = [failing(1, 0.5, ['a', 'b']), failing(2, 0.25, ['c']), failing(3, 0.75, ['b'], 1)];
    versions[2]!.improvementsApplied = ['a'];
    versions[2]!.tokenUsage = { ...versions[2]!.tokenUsage, totalTokens: 70 };
    expect(reportOf(versions).iterations).toEqual([
      { iteration: 1, scoreChange: null, issuesResolved: 0, issuesNew: 2, totalTokens: 0 },
      { iteration: 2, scoreChange: -0.25, issuesResolved: 0, issuesNew: 1, totalTokens: 0 },
      { iteration: 3, basedOn: 1, scoreChange: 0.25, issuesResolved: 1, issuesNew: 0, totalTokens: 70 },
    ]);
  });
});
