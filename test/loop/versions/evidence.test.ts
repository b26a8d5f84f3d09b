import type { CallRecord } from '../../../src/loop/contract/calls';
import { evidenceOf, inheritedCalls } from '../../../src/loop/versions/evidence';
import type { Origin, ReflectionVersion } from '../../../src/loop/state/loop-state';

const call = (name: string): CallRecord => ({ name, outcome: 'ok', source: 'recorded' });
const version = (iteration: number, origin: Origin, basedOn?: number) =>
  ({
    iteration,
    origin,
    calls: [call(`v${iteration}`)],
    ...(basedOn !== undefined && { basedOn }),
  }) as ReflectionVersion;

const versions = [
  version(1, 'draft'),
  version(2, 'revision'),
  version(3, 'revision', 1),
  version(4, 'override'),
  version(5, 'regeneration'),
  version(6, 'revision'),
];

test.each([
  ['a draft', 1, 'draft', undefined, []],
  ['a revision', 3, 'revision', undefined, ['v1', 'v2']],
  ['a revision of an older version', 4, 'revision', 1, ['v1']],
  ['a revision of one that went back', 4, 'revision', undefined, ['v1', 'v3']],
  ['an output of a person', 4, 'override', undefined, ['v1', 'v3']],
  ['an output that was made anew', 5, 'regeneration', undefined, []],
  ['a revision of that', 7, 'revision', undefined, ['v5', 'v6']],
] as const)(
  '%s has the calls of the versions that it was made from, and its own',
  (_what, iteration, origin, basedOn, earlier) => {
    const made = { origin, calls: [call('own')], ...(basedOn !== undefined && { basedOn }) };
    const { calls = [] } = evidenceOf({ versions: versions.slice(0, iteration - 1) }, made, iteration);
    expect(calls.map(({ name }) => name)).toEqual([...earlier, 'own']);
  },
);

test('an output that an agent made anew, going on with its conversation, has the calls of the version before', () => {
  const chain = { versions: versions.slice(0, 4), continued: [5] };
  const { calls = [] } = evidenceOf(chain, { origin: 'regeneration', calls: [call('own')] }, 5);
  expect(calls.map(({ name }) => name)).toEqual(['v1', 'v3', 'v4', 'own']);
});

test('a run that takes over keeps the calls that its versions were made with', () => {
  const inherited = inheritedCalls({ versions }, new Set([3, 6]))!;
  expect(Object.keys(inherited)).toEqual(['3', '6']);
  const kept = versions.filter(({ iteration }) => iteration === 3 || iteration === 6);
  const names = (iteration: number, basedOn: number) =>
    evidenceOf({ versions: kept, inherited }, { origin: 'revision', basedOn }, iteration).calls!.map(
      ({ name }) => name,
    );
  expect(names(7, 6)).toEqual(['v5', 'v6']);
  expect(names(7, 3)).toEqual(['v1', 'v3']);
  expect(inheritedCalls({ versions: [version(1, 'draft')] }, new Set([1]))).toBeUndefined();
});

test('what a person wrote has no calls of its own, and none is no field', () => {
  expect(evidenceOf({ versions: [] }, { origin: 'draft' }, 1)).toEqual({});
});
