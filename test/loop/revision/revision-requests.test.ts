import { initialState, type LoopState } from '../../../src/loop/state/loop-state';
import { planRevision, revisionRequest } from '../../../src/loop/revision/revision-plan';
import {
  recordDraft,
  recordOverride,
  recordVerdict,
  reopenLatest,
  settleVersion,
} from '../../../src/loop/moves/transitions';
import type { ModelReply } from '../../../src/loop/state/model-reply';
import {
  aFailedVersion as version,
  DEFAULT_REVISION as settings,
  DEFAULT_SETTINGS,
  stateWith,
} from '../../../testing/support/versions';

const VERDICT = {
  name: 'schema',
  type: 'schema',
  outcome: 'fail' as const,
  score: 0,
  issues: [],
  suggestions: [],
  confidence: 1,
  ms: 1,
};

describe('the reply that a version was made of', () => {
  const drafted = (reply: ModelReply | undefined, model?: string) => {
    const state = initialState(0);
    recordDraft(state, { output: 'text', warnings: [], ...(reply && { reply }) }, 'draft', { model });
    settleVersion(state, DEFAULT_SETTINGS, [], '');
    return state;
  };
  const requested = (state: LoopState, model?: string) =>
    revisionRequest(state, settings, planRevision(settings, state)!, model).reply;

  test.each<[string, ModelReply | undefined, string | undefined, string | undefined, ModelReply | undefined]>([
    ['the worker’s default model both times', {}, undefined, undefined, {}],
    ['a named model both times', { text: 'Here: text' }, 'large', 'large', { text: 'Here: text' }],
    ['another model than the one that is asked', {}, 'small', 'large', undefined],
    ['a named model, where the default is asked', {}, 'small', undefined, undefined],
    ['no model', undefined, undefined, undefined, undefined],
  ])('goes along where the model that is asked wrote it: %s', (_case, reply, by, asked, wanted) => {
    expect(requested(drafted(reply, by), asked)).toEqual(wanted);
  });

  test('does not go along with an output that leaves it no place in the input of a call', () => {
    const state = initialState(0);
    recordDraft(state, { output: 'x'.repeat(600_000), warnings: [], reply: {} }, 'draft');
    settleVersion(state, DEFAULT_SETTINGS, [], '');
    expect(requested(state)).toBeUndefined();
  });

  test('does not go along with what a person wrote', () => {
    const state = drafted({});
    state.commands.overrides = ['mine'];
    recordOverride(state, DEFAULT_SETTINGS, '');
    settleVersion(state, DEFAULT_SETTINGS, [], '');
    expect(requested(state)).toBeUndefined();
  });

  test('stays with a version that is judged again', () => {
    const state = drafted({ text: 'Here: text' });
    reopenLatest(state, DEFAULT_SETTINGS);
    settleVersion(state, DEFAULT_SETTINGS, [], '');
    expect(requested(state)).toEqual({ text: 'Here: text' });
  });

  test('is the text that a value was read out of', () => {
    const state = initialState(0);
    const text = '```json\n{"a": 1}\n```';
    recordDraft(state, { output: text, warnings: [], reply: {} }, 'draft');
    const reading = { text: { start: 8, end: 16 } };
    recordVerdict(state, state.pending!, 0, { ...VERDICT, reading });
    expect(state.pending).toMatchObject({ output: { a: 1 }, reply: { text } });
  });
});

describe('what a revision is told of earlier attempts', () => {
  const versions = [
    version(1, 0.6, ['dull']),
    version(2, 0.5, ['Dull', 'long', 'late'], { strategy: 'full_rewrite' }),
    version(3, 0.4, ['dull'], { strategy: 'incremental' }),
  ];
  const state = stateWith(versions, 1);

  test('is what they had and the version that is revised has not', () => {
    const { attempts } = revisionRequest(state, settings, planRevision(settings, state)!);
    expect(attempts).toEqual(['version 2: long; late']);
  });
});

describe('a revision that changes nothing', () => {
  const warningsOf = (output: string) => {
    const state = stateWith([version(1, 0.4, ['dull'], { output: 'same' })], 1);
    recordDraft(state, { output, warnings: [] }, 'revision', { strategy: 'full_rewrite' });
    settleVersion(state, DEFAULT_SETTINGS, [], '');
    return state.versions.at(-1)!.warnings;
  };

  test('is told as a disagreement of author and check', () => {
    expect(warningsOf('same')).toEqual(['the revision is version 1 unchanged: its author and its checks disagree']);
  });

  test('is not told where it changes something', () => {
    expect(warningsOf('other')).toEqual([]);
  });
});
