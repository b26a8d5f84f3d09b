const SHOWN = 2_000;

function readable(request: string): string {
  try {
    const { model, messages } = JSON.parse(request) as { model?: unknown; messages?: unknown };
    if (typeof model !== 'string' || !Array.isArray(messages)) return request.slice(0, SHOWN);
    const said = (messages as { role?: unknown; content?: unknown }[]).map(
      ({ role, content }) => `${String(role)}: ${typeof content === 'string' ? content : JSON.stringify(content)}`,
    );
    return `a request to the model "${model}":\n\n${said.join('\n\n').slice(0, SHOWN)}`;
  } catch {
    return request.slice(0, SHOWN);
  }
}

/** The scripted model got more requests than its script has answers, or its script is wrong. */
export class ScriptExhaustedError extends Error {
  readonly type = 'ScriptExhausted';
  override readonly name = 'ScriptExhaustedError';

  constructor(
    /** The requests that had no answer: their bodies as JSON text, or what was wrong with the script. */
    readonly requests: readonly string[],
    options?: ErrorOptions,
  ) {
    super(`the script ran out; it has no answer for ${readable(requests[0] ?? '')}`, options);
  }
}

/** Renders what JSON has no form for: a function by its name, a pattern by its source. */
function showNames(_key: string, value: unknown): unknown {
  if (typeof value === 'function') return value.name;
  return value instanceof RegExp ? String(value) : value;
}

/** A run ended before it had requested all answers of the script. */
export class ScriptUnusedError extends Error {
  readonly type = 'ScriptUnused';
  override readonly name = 'ScriptUnusedError';

  constructor(
    /** The entries of the script that are left; `times` is how often each of them was still to be used. */
    readonly entries: readonly { times?: unknown }[],
  ) {
    const left = entries.reduce((sum, { times }) => sum + (typeof times === 'number' ? times : 1), 0);
    const answers = left === 1 ? '1 answer of the script was' : `${left} answers of the script were`;
    super(`${answers} never asked for: ${JSON.stringify(entries, showNames)}`);
  }
}

/** A difference between what a recorded run does now and what it did. */
export interface RunChange {
  /** The recording's file, without its ending. */
  name: string;
  /** The difference: commands in another order, an error, or the path of the first difference in the result. */
  problem: string;
}

/** The current code continues or ends recorded runs in another way than they went. */
export class RunsChangedError extends Error {
  readonly type = 'RunsChanged';
  override readonly name = 'RunsChangedError';

  constructor(readonly changes: readonly RunChange[]) {
    const lines = changes.map(({ name, problem }) => `  ${name}: ${problem}`);
    super(`${changes.length} of the recorded runs would go another way now:\n${lines.join('\n')}`);
  }
}

/** A run that cannot be recorded: it has not ended, or its payloads can be read with a key or a storage only. */
export class NotRecordableError extends Error {
  readonly type = 'NotRecordable';
  override readonly name = 'NotRecordableError';
}
