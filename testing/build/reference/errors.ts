/** The page of errors: every type of a failure, and mistakes with their answers. */
import { adviceFor, advisedTypes } from '../../../src/apps/cli/support/advice';
import { ANSWERED_MISTAKES, type AnsweredMistake } from './answered-mistakes';
import { GENERATED, markdownTable } from './table';

/** What happened, and what to do; without the latter, `advice.ts` has it. */
type Row = readonly [happened: string, todo?: string];

const ASK_AGAIN = 'Look at the run by its id, then ask again.';

/** Every type of a failure, by the place where it is met. */
export const ERROR_TYPES: Readonly<Record<string, Readonly<Record<string, Row>>>> = {
  'What you give': {
    InvalidSpec: ['The spec cannot be run.', 'Mend each path of `problems`; nothing was paid for yet.'],
    InvalidYaml: ['The file cannot be read as YAML or JSON in UTF-8.', 'Mend the line and column that it names.'],
    InvalidConfig: ['An option or a setting cannot be used.', 'Mend each path of `problems`.'],
    InvalidCommandLine: ['The command line cannot be read.', 'See `--help` of the command.'],
    UnknownPath: ['`--set` names a field that there is not.', 'Correct the path; the message has the nearest name.'],
    InvalidState: ['`--state` or `--state-file` cannot be used.', 'Write `--state name=value`.'],
    UnknownAction: ['No worker of the queue has the action.'],
    UnknownModel: ['No worker of the queue has the model.'],
    UnknownCommand: ['The worker has no such program.', 'Correct the name, or give it to the worker (`commands`).'],
    UnknownWorkflow: ['The worker may not call the workflow.', 'Name it in REFLECT_ALLOWED_WORKFLOWS.'],
    UnknownAgent: ['The worker serves no memory of the agent.', 'Name it in `allow.agents`.'],
    AttachmentInvalid: [
      'A picture or a file cannot be sent to a model.',
      'Give an https URL, a `data:` URL, or what `client.attach` returned.',
    ],
    AttachmentMissing: [
      'The storage does not have a picture or a file.',
      'Attach it again; REFLECT_STORAGE must be that of the worker.',
    ],
    AttachmentUnavailable: ['A picture or a file could not be read now.', 'Nothing: it is tried again.'],
    DifferentSpec: ['`startOnce` found a run of another spec.', 'Choose another id, or read that run with `get`.'],
    BatchMismatch: ['The id belongs to a batch of other items, or of another loop.', 'Choose another id.'],
    PackageMissing: ['An optional package is not installed.', 'Install the package that it names.'],
  },
  'Calls of the client': {
    NoAnswer: ['There was no answer in time: no worker, a busy one, or no server.', ASK_AGAIN],
    CallAborted: ['The caller ended the call by its signal, or closed the client.', ASK_AGAIN],
    ServerRequestFailed: [
      'The Temporal server rejected the request.',
      "Look at `code` and at the message, which are the server's.",
    ],
    AlreadyRunning: ['The id belongs to a run that has not ended.', 'Choose another id, or wait for that run.'],
    AlreadyEnded: ['The id belongs to a run that has ended.', 'Read its result, or choose another id.'],
    RunNotFound: ['There is no run with the id, or it is no longer kept.', '`reflect list` shows the runs.'],
    WrongKind: ['The run is of another workflow type.', 'Use the method of its kind, or the handle of the SDK.'],
    CommandRefused: ['The run refused the command.', 'Read the reason; `reflect show` lists what it takes now.'],
    CommandNotTaken: [
      'The workflow tasks of the run fail.',
      'Look at the newest events of the run, and at the log of its worker.',
    ],
    UnexpectedOutput: [
      'The output does not fit your schema.',
      '`result` of the error has it; mend the schema or the evaluator.',
    ],
    NoReport: ['The kind of run has no report.', 'Loops, plans and batches have one.'],
    BatchItemsGone: ['The server no longer keeps pages of the batch.', '`--retry` runs these items again.'],
  },
  'How a run ended': {
    ReflectionFailedError: [
      'No version was good enough, and the spec says `onFailure: raise`.',
      '`history` has all versions.',
    ],
    StepFailed: [
      'A step, an action, a function or a called workflow failed.',
      'Mend the cause that the message names.',
    ],
    Cancelled: ['The run was cancelled.', 'Start it again if that was no intention.'],
    Terminated: ['The run was terminated.', 'Start it again if that was no intention.'],
    TimedOut: ['The time limit of the workflow ended the run.', 'Raise the limit that was given at the start.'],
    RunFailed: ['The run of an item of a batch ended without a result.', '`reflect batch --retry` runs it again.'],
    PageLost: ['The run of a page of a batch ended before the item did.', '`reflect batch --retry` runs it again.'],
    OutputTooLarge: ['A result does not fit into a history.', 'Set REFLECT_STORAGE, or ask for shorter outputs.'],
    InvalidFunction: ['A function that the workflow gave returned what it may not.', 'Mend the function.'],
    InvalidHook: ['A hook returned no decision.', 'Mend the hook.'],
    NoProgress: [
      'A run went in circles, which is a mistake of this package.',
      'Report it, with the history of the run.',
    ],
    ExternalUnavailable: [
      'An external evaluator did not answer.',
      'Nothing: it is asked again for `timeouts.retryFor`.',
    ],
    MemoryMissing: ['The worker has no memory.', 'Give `memory` to the worker.'],
    MemoryUnavailable: ['The database of the memory did not answer.', 'Nothing: the run goes on without.'],
    'Mcp.Unavailable': ['An MCP server did not answer.', 'Nothing: it is asked again. `reflect doctor` asks it, too.'],
    'Mcp.Timeout': [
      'An MCP server took too long.',
      'Look at the log of that server. It is asked again, unless it lists no tools when a run begins.',
    ],
    'Mcp.Refused': ['An MCP server answered what cannot be used.', 'Mend the server or its settings.'],
    SandboxUnavailable: ['This machine cannot shut in the code of specs.'],
  },
  'Calls of models': {
    'Model.Unauthorized': ['The endpoint refused the key.'],
    'Model.Unavailable': ['The endpoint did not answer.'],
    'Model.NotFound': ['The endpoint does not know the model or the path.'],
    'Model.QuotaExhausted': ['The account has no credit.'],
    'Model.RateLimited': ['The endpoint takes no more calls now.'],
    'Model.Timeout': ['No whole reply arrived in time.'],
    'Model.ContextLength': ['The prompt is longer than the model takes.'],
    'Model.BadRequest': ['The endpoint refused the request.'],
    'Model.InvalidReply': ['The code of a model returned something else than a reply.'],
    'Model.ReplyTooLarge': ['The reply is larger than what is read of one.'],
    'Model.Filtered': ['A filter of the provider stopped the call.'],
    'Model.Refused': ['The model refused to answer.'],
    'Model.Empty': ['The reply has no text.'],
    'Model.Interrupted': ['The connection ended before the reply did.'],
    'Model.CircuitOpen': ['Calls to the model are held back, since several failed.'],
  },
  'Worker, server and storage': {
    SdkCopies: ['Two copies of the Temporal SDK meet in one process.', 'Install one version of it.'],
    WorkflowBundle: [
      'A bundle made in advance lacks what the worker needs.',
      'Make it again as [loops in a worker of your own](../embedding.md) shows.',
    ],
    InvalidCodecKeys: ['REFLECT_CODEC_KEYS cannot be used.', 'Mend what the message names.'],
    UnknownEncryptionKey: [
      'REFLECT_CODEC_KEYS lacks the key of a payload.',
      'Give old keys to workers and clients, too.',
    ],
    PayloadDecryptionFailed: [
      'A payload was changed, or another key has its id.',
      'Give the key that it was written with.',
    ],
    InvalidStorageSettings: ['REFLECT_STORAGE cannot be used.', 'Mend what the message names.'],
    NotificationFailed: [
      'The receiver of notifications did not take a message.',
      'Nothing: it is sent again while the run waits. The receiver must answer 2xx.',
    ],
    StorageUnavailable: ['The storage did not take a result in time.', 'Nothing: the step is tried again.'],
    StorageTooSlow: ['The storage delivered the input of a step too slowly.', 'Nothing: the step is tried again.'],
    StoredDataMissing: [
      'The storage does not have a value.',
      'REFLECT_STORAGE must be the same everywhere; sweep later.',
    ],
    StoredDataCorrupt: ['A stored value was changed.', 'Restore it from a backup.'],
    StoredClaimInvalid: ['A reference to a stored value was changed.', 'Start the run again.'],
    MemoryInUse: ['Another process has the folder of the memory open.', 'End that process, or use Postgres.'],
    TemporalServerUnavailable: [
      'The development server was not found, nor fetched.',
      'Follow one of the ways that it lists.',
    ],
    DatabaseInUse: ['Another development server has the database file open.', 'End that server, or name another file.'],
    PortInUse: ['Another program listens on the port.', 'Name another one with `--port`.'],
  },
  Tests: {
    ScriptExhausted: ['The scripted model got more requests than it has answers.', 'Add answers, or mend the loop.'],
    ScriptUnused: ['The run ended before it had requested all answers.', 'Take them out, or mend the loop.'],
    RunsChanged: ['Recorded runs go another way now.', 'Look at each difference: runs in progress meet it, too.'],
    NotRecordable: ['A run cannot be recorded.', 'Wait for its end; record without encryption and storage.'],
  },
};

function todoOf(type: string, [, todo]: Row): string {
  const advice = adviceFor(type, '') ?? todo;
  if (advice === undefined) throw new Error(`The page of errors does not say what to do about ${type}.`);
  return advice;
}

/** Returns the types that the page names. */
export function pageTypes(): string[] {
  return Object.values(ERROR_TYPES).flatMap((rows) => Object.keys(rows));
}

export function errorsPage(): string {
  const missing = advisedTypes().filter((type) => !pageTypes().includes(type));
  if (missing.length > 0) throw new Error(`The page of errors lacks ${missing.join(', ')}.`);
  const sections = Object.entries(ERROR_TYPES).map(([place, rows]) => {
    const lines = Object.entries(rows).map(([type, row]) => [`\`${type}\``, row[0], todoOf(type, row)]);
    return `## ${place}\n\n${markdownTable(['Type', 'What happened', 'What to do'], lines)}\n`;
  });
  const answered = Object.values<AnsweredMistake>(ANSWERED_MISTAKES).map(({ mistake, type, answer }) => [
    mistake,
    `\`${type}\``,
    answer,
  ]);
  return [
    '# Errors',
    'What fails, by its type: `type` of an error of the client, of a failure in a history, and in `error` of `--json`. ' +
      `Every message names the place. Types that only the \`reflect\` command has say in their second line what to do. ${GENERATED}`,
    ...sections,
    '## Mistakes and their answers',
    markdownTable(['Mistake', 'Type', 'A part of the message'], answered),
    '',
  ]
    .join('\n\n')
    .replace(/\n{3,}/g, '\n\n');
}
