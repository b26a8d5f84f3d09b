/** A tool that was called, and answered that it failed: for the model that called it to know. Trying again does not help. */
export class ToolFailed extends Error {
  override name = 'ToolFailed';
}

/** A registered action that was given wrong parameters or returned what it must not. Trying again does not help. */
export class ActionFailed extends Error {
  override name = 'ActionFailed';

  constructor(
    readonly action: string,
    /** Which side is wrong: the spec's parameters, or the action's result. */
    readonly phase: 'input' | 'output',
    problem: string,
    options?: ErrorOptions,
  ) {
    super(`action "${action}": ${problem}`, options);
  }
}
