import { ReflectionClient } from '../../../client';
import type { TemporalOverrides } from '../../../lib/config';
import { runKindOf } from '../../../kinds/list/client';
import { followToEnd } from '../follow/follow-to-end';
import type { ShownPart } from '../show/run-view';
import { RUN_VIEWS } from '../kinds/list/views';
import { withClient } from '../support/connect';
import { EXIT } from '../support/exit-codes';
import { runLink, serverOf } from '../support/web-ui';
import { printText, printProgress, writeData, writeJsonText } from '../terminal/say';
import { describeRun, type RunDescription } from '../show/describe-run';
import { noLoop, servesNoLoop } from '../show/inspect-run';
import { runHead } from '../show/run-head';

interface ShowOptions extends TemporalOverrides, ShownPart {
  follow?: boolean;
  /** True: the calls of all versions; a number: those of one. */
  prompts?: true | number;
}

const ANSWER_MS = 5_000;

/** `reflect show`: prints the state of a run. A user's own workflow is shown as the loop that it may run inside of it. */
export async function show(workflowId: string, { follow, prompts, ...options }: ShowOptions): Promise<number> {
  return withClient(options, async (client) => {
    const description = await describeRun(client, workflowId);
    if (prompts !== undefined) {
      // Only this needs the code that writes prompts.
      const { showPrompts } = require('../prompts/show-prompts') as typeof import('../prompts/show-prompts');
      const version = prompts === true ? undefined : prompts;
      await showPrompts(client, description, { version, json: options.json ?? false });
      return EXIT.success;
    }
    if (follow) return followFromStart(client, description, options.json ?? false);
    const view = RUN_VIEWS[runKindOf(description.type) ?? 'loop'];
    const text = await view.shown(client, description, options);
    if (options.json) writeJsonText(text);
    // A file or a pipe gets an output byte for byte; a terminal must not obey what a model wrote.
    else if (options.output) writeData(text);
    else printText(text);
    return EXIT.success;
  });
}

export async function followFromStart(
  client: ReflectionClient,
  description: RunDescription,
  json: boolean,
): Promise<number> {
  const { workflowId, runId, type, taskQueue } = description;
  const kind = runKindOf(type);
  if (kind === undefined && description.running) await assertServesLoop(client, description);
  const { follow } = RUN_VIEWS[kind ?? 'loop'];
  // Texts about workers are about the queue of the run.
  const place = new ReflectionClient(client.temporal, taskQueue);
  return followToEnd(workflowId, json, {
    begin(news) {
      printProgress(news, runHead(client, description).join('\n'));
      return description.running ? runLink(serverOf(client), { workflowId }) : undefined;
    },
    follow: (news, signal) => follow(place, { workflowId, runId }, news, signal),
  });
}

export async function assertServesLoop(client: ReflectionClient, { workflowId, type }: RunDescription): Promise<void> {
  try {
    await client.progress(workflowId, { timeout: ANSWER_MS });
  } catch (error) {
    // Without a worker this cannot be known.
    if (servesNoLoop(error)) throw noLoop(workflowId, type);
  }
}
