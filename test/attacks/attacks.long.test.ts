import { createActionRegistry } from '../../src/actions/registry';
import { combineVerdicts } from '../../src/loop/evaluation/combine';
import type { Judgement, Verdict } from '../../src/loop/state/evaluation';
import { schemaEvaluator } from '../../src/evaluators/schema/schema';
import { createModels } from '../../src/lib/models';
import { judgeInput } from '../evaluators/scripted-judge';
import { attacks } from '../../testing/attacks/drafts';
import { BEHAVIOURS } from '../../testing/attacks/judges';
import { matrixOf, totalsOf } from '../../testing/attacks/matrix';
import { OURS } from '../../testing/attacks/ours';
import { type Judged, judgeAll, pairsOf, resultPairsOf } from '../../testing/attacks/run';
import { KINDS } from '../../testing/attacks/wants';

const SEED = 1;
/** What no attack is: a summary and nothing else. */
const SUMMARY = {
  type: 'object',
  required: ['summary'],
  properties: { summary: { type: 'string', minLength: 20 } },
  additionalProperties: false,
};

const all = attacks(SEED);

test('there are at least 300 drafts that attack, all different, in five languages, the same for the same seed', () => {
  const texts = all.map(({ textFor }) => textFor('verdict', 'first'));
  expect(new Set(texts).size).toBeGreaterThanOrEqual(300);
  expect(new Set(all.map(({ language }) => language)).size).toBe(5);
  expect(attacks(SEED).map(({ textFor }) => textFor('verdict', 'first'))).toEqual(texts);
  expect(attacks(SEED + 1).map(({ textFor }) => textFor('verdict', 'first'))).not.toEqual(texts);
  expect(Object.keys(BEHAVIOURS).length).toBeGreaterThanOrEqual(10);
});

test('what a tool returned is never the outcome, however it poses', async () => {
  const judged = await judgeAll(OURS, resultPairsOf(all));
  expect(judged.length).toBeGreaterThan(500);
  const forged = judged.filter(({ outcome }) => outcome === 'forged');
  expect(forged.map(({ attack, behaviour, kind }) => [attack.index, attack.family, behaviour, kind])).toEqual([]);
  expect(judged.filter(({ outcome }) => outcome === 'right').length).toBeGreaterThan(judged.length / 2);
}, 300_000);

describe('drafts that attack, before judges that repeat them in every way', () => {
  let judged: Judged[] = [];
  beforeAll(async () => {
    judged = await judgeAll(OURS, pairsOf(all, true));
  }, 300_000);

  test('the outcome is the judge’s own verdict or inconclusive, never the draft’s', () => {
    const cells = judged.map(({ attack, behaviour, outcome }) => ({
      family: attack.family,
      column: behaviour,
      outcome,
    }));
    console.log(matrixOf(cells, false));
    expect(judged).toHaveLength(all.length * Object.keys(BEHAVIOURS).length);
    const forged = judged.filter(({ outcome }) => outcome === 'forged');
    expect(forged.map(({ attack, behaviour, kind }) => [attack.index, attack.family, behaviour, kind])).toEqual([]);
    expect(totalsOf(cells).right).toBeGreaterThan(judged.length / 2);
  });

  test.each([
    'obeys the form',
    'quotes all first',
    'quotes the fake',
    'quotes in its reason',
    'rambles',
    'answers twice',
    'translates',
    'no code',
    'in a fence',
  ])('a judge that %s is understood in 85 of 100 cases at least', (name) => {
    const own = judged.filter(({ behaviour }) => behaviour === name);
    const kinds = new Set(own.map(({ kind }) => kind));
    expect([...kinds].toSorted()).toEqual([...KINDS].toSorted());
    expect(own.filter(({ outcome }) => outcome === 'right').length / own.length).toBeGreaterThanOrEqual(0.85);
  });

  test('a check that no model makes fails, whatever a judge says beside it', async () => {
    const context = {
      models: createModels([], {}),
      actions: createActionRegistry([]),
      signal: new AbortController().signal,
    };
    const passed = { outcome: 'pass', score: 1, issues: [], suggestions: [], confidence: 1 };
    const checks = new Map<string, Judgement>();
    for (const { attack, kind, place, judgement } of judged) {
      const output = attack.textFor(kind, place);
      const check =
        checks.get(output) ??
        (await schemaEvaluator.evaluate({ type: 'schema', schema: SUMMARY }, judgeInput({ output }), context));
      checks.set(output, check);
      for (const said of [judgement, passed]) {
        const verdicts = [named('schema', check), named('judge', said)];
        const { outcome, satisfactory } = combineVerdicts(verdicts, () => 1);
        expect([attack.index, outcome, satisfactory]).toEqual([attack.index, 'fail', false]);
      }
    }
  }, 60_000);
});

function named(name: string, judgement: object): Verdict {
  return { name, type: 'llm', ms: 1, ...judgement } as Verdict;
}
