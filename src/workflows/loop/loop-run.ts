import type {
  GenerationEvent,
  HookDecision,
  ReflectionEvent,
  RevisionEvent,
  WaitingEvent,
} from '../../loop/moves/hooks';
import type { Notify } from '../../loop/base/notify';
import type { LoopFunctions } from '../../loop/moves/functions';
import type { LoopState } from '../../loop/state/loop-state';
import type { Move } from '../../loop/moves/next-move';
import type { Phase } from '../../loop/contract/results';
import type { ResolvedSpec } from '../../loop/state/resolved-spec';
import type { StopRules } from '../../loop/moves/stop-rules';
import type { UnreadReply } from '../../loop/contract/evaluation';

/** Nothing is `auto`: the loop decides. */
export type Decision = HookDecision | undefined | void;

/**
 * Functions of the caller's own workflow that a loop calls. They are workflow code: deterministic, and free to call
 * activities or to wait. An error that they throw ends the loop and is thrown by `reflect`.
 */
export interface ReflectionHooks extends LoopFunctions {
  /**
   * Generates in the place of the spec's generator, which may then be left out: an agent, a child workflow, a Nexus
   * operation, or activities of your own. If an activity, child workflow or operation fails, the step has failed; any
   * other error ends the loop and is thrown by `reflect`. The same applies to `revise` and `evaluate`.
   */
  generate?: LoopFunctions['generate'];
  /** Judges beside the spec's evaluators, which may then be left out. Its evaluator has the name `evaluate`. */
  evaluate?: LoopFunctions['evaluate'];
  /**
   * Revises in the place of the spec's corrector and of the built-in revision. Default: if `generate` is a function, it is
   * called again, and finds what is wrong in `state.reflection_errors`.
   */
  revise?: LoopFunctions['revise'];
  /** Called after each output of the generator, before it is evaluated. */
  onGeneration?(event: GenerationEvent): void | Promise<void>;
  /**
   * Called after each evaluation. `continue` asks for another version although this one passed or the loop would give
   * up; the limit of iterations and the budget still hold. `stop` ends the loop as `stopped`, unless it ends here for a
   * reason of its own. `auto` leaves the decision to the loop.
   */
  onReflection?(event: ReflectionEvent): Decision | Promise<Decision>;
  /** Called after each output of the corrector or the built-in revision, before it is evaluated. */
  onRevision?(event: RevisionEvent): void | Promise<void>;
  /**
   * Called once when the loop begins to wait for a person, and cancelled when the wait ends. The wait does not depend on it: its
   * failure is a warning in the version.
   */
  onWaiting?(event: WaitingEvent): void | Promise<void>;
}

/** A loop in progress. Its handlers, if it has any, change `state.commands` and call `interrupt`. */
export interface LoopRun {
  spec: ResolvedSpec;
  state: LoopState;
  phase: Phase;
  /** Functions of the workflow that runs the loop, beside the actions that the spec names. */
  hooks?: ReflectionHooks;
  notify?: Notify | undefined;
  functions?: LoopFunctions;
  /** Users can answer the loop: its questions, and calls that need approval. */
  isServed?: boolean;
  /**
   * The text that the summaries of evaluations begin with instead of the iteration, in a run that is not a loop; may be empty.
   */
  label?: string;
  /** The text that all summaries begin with, where several loops may share a timeline. */
  title?: string;
  /** Called after every change that a page would show. */
  onChange(): void;
  /** Called for replies of judges that could not be read as they were. */
  onUnread?(reply: UnreadReply): void;
  /** Asked before every move: whether a new run takes over instead. It may, then, and it does. */
  shouldContinueAsNew?(move: Move): boolean;
  /** Asked before each new version: why the history of the run has no room for one; undefined: it has. */
  whyFull?(): string | undefined;
  /** Stop rules that remember their findings on the same versions; undefined: the rules remember nothing. */
  stopRules?: StopRules;
  /** Cancels the call in flight; present while there is one. */
  interrupt?(): void;
}
