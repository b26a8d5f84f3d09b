import { initialState, type LoopState } from '../../src/loop/state/loop-state';
import { nextMove } from '../../src/loop/moves/next-move';
import { finalOf } from '../../src/loop/versions/result';
import { planRevision } from '../../src/loop/revision/revision-plan';
import type { Issue } from '../../src/loop/contract/evaluation';
import type { RevisionMethod } from '../../src/loop/contract/loop-options';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import type { LoopSettings } from '../../src/loop/state/loop-settings';
import { recordDraft } from '../../src/loop/moves/transitions';
import { settingsOf } from '../../src/loop/parse/settings';
import { evaluate, flawOf } from './judging';
import type { Episode, Policy, PolicyOptions } from './policies';
import type { Flaws, World } from './world';

/** The writer and the judge of a simulated loop, in the place of activities. */
export interface Players {
  /** Returns the text of a version, from 1. */
  write(flaws: Flaws, version: number): string;
  evaluate(state: LoopState, settings: LoopSettings, flaws: Flaws): void;
  revise(flaws: Flaws, issues: Issue[], method: RevisionMethod, base: number): Flaws;
}

/** Plays a loop of this package to its end: its own decisions, with players in the place of activities. */
export function playLoop(spec: ReflectionSpec, world: World, players: Players): Episode {
  const settings = settingsOf(spec);
  const state = initialState(0);
  const versions: Flaws[] = [];
  const write = (flaws: Flaws): { output: string; warnings: string[] } => {
    versions.push(flaws);
    return { output: players.write(flaws, versions.length), warnings: [] };
  };
  for (;;) {
    const move = nextMove({ spec, settings, state, now: 0 });
    switch (move.kind) {
      case 'draft':
        recordDraft(state, write(world.draft()), 'draft');
        break;
      case 'evaluate':
        players.evaluate(state, settings, versions.at(-1)!);
        break;
      case 'revise': {
        const plan = planRevision(settings, state)!;
        const { strategy, base } = plan;
        const issues = [...plan.issues, ...plan.earlierIssues];
        const revised = players.revise(versions[base.iteration - 1]!, issues, strategy, base.iteration);
        const basedOn = plan.reverted ? { basedOn: base.iteration } : {};
        recordDraft(state, write(revised), 'revision', { strategy, ...basedOn });
        break;
      }
      case 'stop':
        return { versions, returned: (finalOf(state, settings, move.reason)?.iteration ?? 1) - 1 };
      default:
        throw new Error(`the simulation has no ${move.kind}`);
    }
  }
}

/** Returns the spec of a simulated loop. */
export function specOf(
  { maxIterations, qualityThreshold }: PolicyOptions,
  more: Partial<ReflectionSpec> = {},
): ReflectionSpec {
  return {
    generator: { action: 'llm.call', prompt: 'write' },
    evaluator: { type: 'llm' },
    maxIterations,
    qualityThreshold,
    ...more,
  };
}

/** The loop of this package: its own decisions, with the world's writer and judge in the place of activities. */
export function ours(more: Partial<ReflectionSpec> = {}): Policy {
  return (world: World, options: PolicyOptions): Episode => {
    const spec = specOf(options, more);
    return playLoop(spec, world, {
      // So long that edits of it are shorter than it is.
      write: (_flaws, version) => `text ${version} ${version * 7919}. `.repeat(100),
      evaluate: (state, settings, flaws) => evaluate(spec, settings, state, world, flaws),
      revise: (flaws, issues, method) => world.revise(flaws, issues.map(flawOf), method),
    });
  };
}
