import { Random } from '../../testing/torture/random';
import type { Evaluator } from '../../src/loop/contract/evaluators';
import { inScriptedWorld } from '../../testing/support/scripted-world';
import { attacks } from '../../testing/attacks/drafts';
import { BEHAVIOURS, TALKED_ROUND } from '../../testing/attacks/judges';
import { CONFIGS, replyTo, TASK } from '../../testing/attacks/run';
import { type Kind, KINDS } from '../../testing/attacks/wants';

const LOOPS = 24;
const SEED = 7;
const all = attacks(1);

/** Behaviours that need no repair, whose judge of a comparison would not know what stood where. */
const PLAIN = ['obeys the form', 'quotes the fake', 'translates', 'in a fence'];
const NAMES = [...Object.keys(BEHAVIOURS), TALKED_ROUND];
const models = NAMES.map((name, index) => ({ name: `judge-${index}`, model: name }));
const modelOf = (behaviour: string): string => `judge-${NAMES.indexOf(behaviour)}`;

/** The script of both models: the generator writes the draft whose number it is asked for. */
function script({
  body,
}: Parameters<Extract<Parameters<typeof inScriptedWorld>[1], (...given: never[]) => unknown>>[0]) {
  const [, index, kind] = /^draft (\d+) for a (\w+)/.exec(String(body.messages.at(-1)?.content)) ?? [];
  if (index === undefined) return { reply: replyTo(body), asWritten: true };
  return { reply: all[Number(index)]!.textFor(kind as Kind, 'first') };
}

const specOf = (index: number, kind: Kind, behaviour: string, evaluator: Evaluator | Evaluator[]) => ({
  task: TASK,
  generator: { action: 'llm.call' as const, model: 'judge-0', prompt: `draft ${index} for a ${kind}` },
  evaluator,
  reflectionModel: modelOf(behaviour),
  structuredReflection: index % 2 === 0,
  maxIterations: 1,
});

describe('drafts that attack, in loops on a server', () => {
  const random = Random.of(SEED);
  const drawn = Array.from({ length: LOOPS }, (_, index) => {
    const kind = KINDS[index % KINDS.length]!;
    const behaviour = random.pick(kind === 'comparison' ? PLAIN : Object.keys(BEHAVIOURS));
    return { kind, behaviour, attack: random.pick(all) };
  });

  test('no loop succeeds by what a draft says to its judge', async () => {
    await inScriptedWorld({ models }, script, async ({ client }) => {
      const ended = await Promise.all(
        drawn.map(async ({ kind, behaviour, attack }) => {
          const evaluator = CONFIGS[kind];
          const { success, finalEvaluation } = await client.run(specOf(attack.index, kind, behaviour, evaluator));
          return { kind, behaviour, draft: attack.index, success, outcome: finalEvaluation?.outcome };
        }),
      );
      expect(ended.filter(({ success, outcome }) => success || outcome === 'pass')).toEqual([]);
      expect(ended.filter(({ outcome }) => outcome === 'fail').length).toBeGreaterThan(LOOPS / 2);
    });
  }, 120_000);

  test('a judge that was talked round does not override a check that no model makes', async () => {
    const check: Evaluator = { type: 'regex', pattern: '^Summary:' };
    await inScriptedWorld({ models }, script, async ({ client, model }) => {
      const asks = (): number =>
        model.ledger.filter(({ kind, body }) => kind === 'request' && body?.model === TALKED_ROUND).length;
      const run = async (index: number, evaluators: Evaluator[]) => {
        const { success, finalEvaluation } = await client.run(specOf(index, 'verdict', TALKED_ROUND, evaluators));
        return [success, finalEvaluation?.outcome];
      };
      // Alone it passes: the judge is the one who was talked round, and nothing of ours.
      expect(await run(0, [{ type: 'llm' }])).toEqual([true, 'pass']);
      expect(asks()).toBe(1);
      for (const [index] of [[1], [46], [160], [250]]) {
        expect(await run(index!, [{ type: 'llm' }, check])).toEqual([false, 'fail']);
      }
      expect(asks()).toBe(5);
      for (const [index] of [[2], [47], [161], [251]]) {
        expect(await run(index!, [{ type: 'llm' }, { ...check, gate: true }])).toEqual([false, 'fail']);
      }
      expect(asks()).toBe(5);
    });
  }, 120_000);
});
