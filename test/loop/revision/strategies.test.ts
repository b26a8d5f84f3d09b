import { attemptsOf, lineageIssues } from '../../../src/loop/versions/attempts';
import type { Issue, Severity } from '../../../src/loop/contract/evaluation';
import type { ReflectionVersion } from '../../../src/loop/state/loop-state';
import { planRevision, chooseStrategy } from '../../../src/loop/revision/revision-plan';
import { selectBest } from '../../../src/loop/versions/selection';
import { recordDraft, recordOverride, recordUnappliedEdit } from '../../../src/loop/moves/transitions';
import {
  aFailedVersion as version,
  anEvaluation,
  DEFAULT_REVISION as settings,
  DEFAULT_SETTINGS,
  stateWith,
} from '../../../testing/support/versions';

const issue = (message: string, severity: Severity = 'major', path?: string): Issue => ({
  message,
  severity,
  evaluator: 'test',
  ...(path === undefined ? {} : { path }),
});
const hybrid = (issues: Issue[], versions: ReflectionVersion[] = []) =>
  chooseStrategy('hybrid', { issues, attempts: attemptsOf(versions) });

describe('the way of revising', () => {
  test.each(['full_rewrite', 'targeted_edit', 'incremental', 'resample'] as const)('%s is what it says', (wanted) => {
    expect(chooseStrategy(wanted, { issues: [issue('a')], attempts: new Map() })).toBe(wanted);
  });

  test('hybrid edits where a few things are wrong', () => {
    expect(hybrid([issue('a'), issue('b', 'minor')])).toBe('targeted_edit');
  });

  test('hybrid goes through the text where many things are wrong', () => {
    expect(hybrid(Array.from({ length: 9 }, (_, index) => issue(`issue ${index}`)))).toBe('incremental');
  });

  test('hybrid rewrites where there is nothing to point at, or nothing to build on', () => {
    expect(hybrid([])).toBe('full_rewrite');
    expect(hybrid([{ message: 'not JSON', path: '', type: 'json', evaluator: 'schema' }])).toBe('full_rewrite');
  });

  test('given a way that failed on the same issue, hybrid changes it, and comes to each way', () => {
    const failed = [version(1, 0.4, ['dull'])];
    const ways: string[] = [];
    for (let iteration = 2; iteration <= 4; iteration += 1) {
      const strategy = hybrid([issue('dull', 'critical')], failed);
      ways.push(strategy);
      failed.push(version(iteration, 0.4, ['dull'], { strategy }));
    }
    expect(new Set(ways)).toEqual(new Set(['targeted_edit', 'incremental', 'full_rewrite']));
  });

  test('a way that fixed its issues is chosen again', () => {
    const versions = [version(1, 0.4, ['dull']), version(2, 0.6, ['long'], { strategy: 'targeted_edit' })];
    expect(hybrid([issue('long')], versions)).toBe('targeted_edit');
  });
});

describe('a short output', () => {
  const planned = (output: string, issues = ['dull']) =>
    planRevision(settings, stateWith([version(1, 0.4, issues, { output })], 1))!.strategy;
  const [short, long] = ['x'.repeat(999), 'x'.repeat(1_000)];
  const many = Array.from({ length: 9 }, (_, index) => `issue ${index}`);

  test('is written again as a whole, however much is wrong with it', () => {
    expect([planned(short), planned(long)]).toEqual(['full_rewrite', 'targeted_edit']);
    expect([planned(short, many), planned(long, many)]).toEqual(['full_rewrite', 'incremental']);
  });

  test('that a rewrite did not mend is made anew', () => {
    const state = (versions: ReflectionVersion[]) => stateWith(versions, 1);
    const ways: string[] = [];
    const versions = [version(1, 0.4, ['dull'], { origin: 'draft' })];
    for (let iteration = 2; iteration <= 4; iteration += 1) {
      const { strategy } = planRevision(settings, state(versions))!;
      ways.push(strategy);
      versions.push(version(iteration, 0.4, ['dull'], { strategy }));
    }
    expect(ways).toEqual(['full_rewrite', 'resample', 'incremental']);
  });
});

describe('a model that does not keep to a form', () => {
  const output = 'x'.repeat(1_000);
  const edited = [
    version(1, 0.4, ['dull'], { output }),
    version(2, 0.3, ['dull', 'long'], { output, strategy: 'full_rewrite' }),
  ];
  test.each(['hybrid', 'targeted_edit'] as const)('is not asked for edits again, however %s', (strategy) => {
    const state = stateWith(edited.slice(0, 1), 1);
    const wanted = { revision: { ...settings.revision, strategy } };
    expect(planRevision(wanted, state)!.strategy).toBe('targeted_edit');
    recordUnappliedEdit(state, { output: null, warnings: [] }, 'not there');
    expect(planRevision(wanted, state)!.strategy).toBe('full_rewrite');
    recordDraft(state, { output, warnings: [] }, 'revision', { strategy: 'full_rewrite' });
    state.versions = edited;
    delete state.pending;
    expect(planRevision(wanted, state)!.strategy).toBe('incremental');
  });
});

describe('repairs that bring nothing', () => {
  const data = { output: '{"name": "ink"}' };
  const prose = { output: 'Ink. '.repeat(200) };
  const again = (iteration: number, more: Partial<ReflectionVersion> = {}) =>
    version(iteration, 0.4, ['dull'], { strategy: 'incremental', ...more });
  const draft = version(1, 0.4, ['dull'], { origin: 'draft' });
  test.each<[string, ReflectionVersion[], boolean]>([
    ['none yet', [draft], false],
    ['one of short prose', [draft, again(2)], true],
    ['one of prose', [draft, again(2, prose)], false],
    ['two of prose', [draft, again(2, prose), again(3, prose)], true],
    ['one of data', [{ ...draft, ...data }, again(2, data)], true],
    ['one of a structure', [draft, again(2, { output: { name: 'ink' } })], true],
    ['one of long data', [draft, again(2, { output: { name: 'ink'.repeat(700) } })], false],
    ['one that was better', [draft, version(2, 0.6, ['long'], { strategy: 'incremental', ...data })], false],
    ['one that has less wrong', [version(1, 0.4, ['dull', 'long']), again(2, data)], false],
    [
      'one that nobody could judge',
      [draft, { ...again(2, data), evaluation: anEvaluation('inconclusive', null) }],
      false,
    ],
    ['a new draft in between', [draft, again(2), again(3), again(4, { strategy: 'resample', ...prose })], false],
  ])('%s', (_case, versions, resampled) => {
    const plan = planRevision(settings, stateWith(versions, 1))!;
    expect(plan.strategy === 'resample').toBe(resampled);
    const fixed = { revision: { ...settings.revision, strategy: 'full_rewrite' as const } };
    expect(planRevision(fixed, stateWith(versions, 1))!.strategy).toBe('full_rewrite');
  });
});

describe('what a revision starts from', () => {
  test('a version that is worse is left behind, and the next attempt takes another way', () => {
    const versions = [version(1, 0.6, ['dull']), version(2, 0.3, ['dull', 'wrong'], { strategy: 'targeted_edit' })];
    const plan = planRevision(settings, stateWith(versions, 1))!;
    expect(plan).toMatchObject({ base: { iteration: 1 }, reverted: true });
    expect(plan.issues.map(({ message }) => message)).toEqual(['dull']);
    expect(plan.strategy).not.toBe('targeted_edit');
  });

  test.each(['latest', 'weighted_recency', 'first_satisfactory', 'highest_score'] as const)(
    'it is left behind whichever version is handed back: %s',
    (selection) => {
      const versions = [version(1, 0.6, ['dull']), version(2, 0.55, ['dull', 'wrong'])];
      const best = selectBest(versions, selection)!.iteration;
      const plan = planRevision(settings, stateWith(versions, best));
      expect(plan).toMatchObject({ base: { iteration: 1 }, reverted: true });
    },
  );

  test('nothing can be made from a version whose output stayed in an earlier run', () => {
    const gone = { output: null, omittedBytes: 9 };
    const versions = [version(1, 0.6, ['a'], gone), version(2, 0.5, ['b']), version(3, 0.2, ['c'])];
    const plan = planRevision(settings, stateWith(versions, 3));
    expect(plan).toMatchObject({ base: { iteration: 2 }, reverted: true });
  });

  test('a drop within a judge’s noise does not revert', () => {
    const versions = [version(1, 0.6, ['dull']), version(2, 0.59, ['long'])];
    expect(planRevision(settings, stateWith(versions, 1))).toMatchObject({ base: { iteration: 2 }, reverted: false });
  });

  test('edits that did not apply are followed by a rewrite of the same', () => {
    const state = stateWith([version(1, 0.6, ['dull'])], 1);
    state.unappliedEdit = { problem: 'x', tokenUsage: state.tokenUsage, warnings: [] };
    expect(planRevision(settings, state)!.strategy).toBe('full_rewrite');
  });

  test('given a person’s output instead of the rewrite, it is not marked as one, and the spent tokens count', () => {
    const state = stateWith([version(1, 0.6, ['dull'])], 1);
    const tokenUsage = { ...state.tokenUsage, totalTokens: 7, modelCalls: 1 };
    recordUnappliedEdit(state, { output: null, tokenUsage, warnings: ['cut off'] }, 'not there');
    state.commands.overrides = ['mine'];
    recordOverride(state, DEFAULT_SETTINGS, '');
    expect(state.pending).toMatchObject({ output: 'mine', warnings: [], tokenUsage: { totalTokens: 7 } });
    recordUnappliedEdit(state, { output: null, tokenUsage, warnings: ['cut off'] }, 'not there');
    recordDraft(state, { output: 'anew', warnings: [] }, 'revision');
    expect(state.pending!.warnings).toEqual(['cut off', expect.stringMatching(/so the output was rewritten/)]);
  });

  test('issues of earlier versions are requested again, once', () => {
    const versions = [version(1, 0.4, ['dull', 'long']), version(2, 0.6, ['long', 'late'])];
    const plan = planRevision(settings, stateWith(versions, 2))!;
    expect(plan.issues.map(({ message }) => message)).toEqual(['long', 'late']);
    expect(plan.earlierIssues.map(({ message }) => message)).toEqual(['dull']);
  });

  test('issues of a discarded version are not requested again', () => {
    const versions = [
      version(1, 0.6, ['dull']),
      version(2, 0.3, ['broken']),
      version(3, 0.7, ['late'], { basedOn: 1 }),
    ];
    expect(lineageIssues(versions[2]!, versions).map(({ message }) => message)).toEqual(['late', 'dull']);
  });

  test('a person’s output begins anew', () => {
    const versions = [version(1, 0.6, ['dull']), version(2, 0.7, ['late'], { origin: 'override' })];
    expect(planRevision(settings, stateWith(versions, 2))!.earlierIssues).toEqual([]);
  });
});
