import type { TemporalOverrides } from '../../config';
import { runKindOf } from '../../client/kinds/run-kinds';
import type { ShownPart } from '../kinds/run-view';
import { RUN_VIEWS } from '../kinds/run-views';
import { withClient } from '../support/connect';
import { printable } from '../views/printable';
import { describeRun } from './describe-run';

/** `reflect show`: where a run stands. A workflow of somebody's own is shown as the loop that it may run inside of it. */
export async function show(workflowId: string, options: TemporalOverrides & ShownPart): Promise<number> {
  return withClient(options, async (client) => {
    const description = await describeRun(client, workflowId);
    const view = RUN_VIEWS[runKindOf(description.type) ?? 'loop'];
    const text = await view.shown(client, description, options);
    // A file or a pipe gets an output byte for byte; a terminal must not obey what a model wrote.
    console.log(options.output && process.stdout.isTTY ? printable(text) : text);
    return 0;
  });
}
