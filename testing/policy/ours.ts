import { LATEST_RULES } from '../../src/loop/base/rules';
import { initialState, type LoopState } from '../../src/loop/state/loop-state';
import { nextMove } from '../../src/loop/moves/next-move';
import { finalOf } from '../../src/loop/versions/result';
import { planRevision } from '../../src/loop/revision/revision-plan';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { recordDraft } from '../../src/loop/moves/transitions';
import { settingsOf } from '../../src/loop/parse/settings';
import { evaluate, flawOf } from './judging';
import type { Episode, Policy, PolicyOptions } from './policies';
import type { Flaws, World } from './world';

/** The loop of this package: its own decisions, with the world's writer and judge in the place of activities. */
export function ours(spec: Partial<ReflectionSpec> = {}): Policy {
  return (world: World, { maxIterations, qualityThreshold }: PolicyOptions): Episode => {
    const whole: ReflectionSpec = {
      generator: { action: 'llm.call', prompt: 'write' },
      evaluator: { type: 'llm' },
      maxIterations,
      qualityThreshold,
      ...spec,
    };
    const settings = settingsOf(whole);
    const state: LoopState = { ...initialState(0), rules: LATEST_RULES };
    const versions: Flaws[] = [];
    const write = (flaws: Flaws): { output: string; warnings: string[] } => {
      versions.push(flaws);
      // So long that edits of it are shorter than it is.
      return { output: `text ${versions.length} ${versions.length * 7919}. `.repeat(100), warnings: [] };
    };
    for (;;) {
      const move = nextMove({ spec: whole, settings, state, now: 0 });
      switch (move.kind) {
        case 'draft':
          recordDraft(state, write(world.draft()), 'draft');
          break;
        case 'evaluate':
          evaluate(whole, settings, state, world, versions.at(-1)!);
          break;
        case 'revise': {
          const plan = planRevision(settings, state)!;
          const told = [...plan.issues, ...plan.earlierIssues].map(flawOf);
          const { strategy } = plan;
          const revised = world.revise(versions[plan.base.iteration - 1]!, told, strategy);
          const basedOn = plan.reverted ? { basedOn: plan.base.iteration } : {};
          recordDraft(state, write(revised), 'revision', { strategy, ...basedOn });
          break;
        }
        case 'stop':
          return { versions, returned: (finalOf(state, settings, move.reason)?.iteration ?? 1) - 1 };
        default:
          throw new Error(`the simulation has no ${move.kind}`);
      }
    }
  };
}
