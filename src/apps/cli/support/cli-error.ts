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
