/** A problem or an obstacle that the command can explain: what happened, and what to do. */
export class CliError extends Error {
  override readonly name = 'CliError';

  constructor(
    readonly type: string,
    message: string,
    readonly advice?: string,
  ) {
    super(message);
  }
}
