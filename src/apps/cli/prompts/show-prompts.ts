import pc from 'picocolors';
import type { ReflectionClient } from '../../../client';
import type { ModelCall } from '../../../lib/contract/model-calls';
import { runHead } from '../show/run-head';
import type { RunDescription } from '../show/describe-run';
import { CliError } from '../support/cli-error';
import { printText, writeJson } from '../terminal/say';
import { printable } from '../views/printable';
import { modelCalls } from './model-calls';
import { callText } from './prompts-view';

const MOST_CHILDREN = 20;

export async function showPrompts(
  client: ReflectionClient,
  description: RunDescription,
  { version, json }: { version?: number | undefined; json: boolean },
): Promise<void> {
  const { workflowId } = description;
  const calls: ModelCall[] = [];
  const children: string[] = [];
  const asked = { workflowId, ...(version !== undefined && { version }) };
  let shown = 0;
  for await (const call of modelCalls(client, asked)) {
    if ('child' in call) children.push(call.child);
    else if (json) calls.push(call);
    else printText([...(shown++ === 0 ? runHead(client, description) : []), callText(call)].join('\n'));
  }
  if (json) return writeJson({ workflowId, calls, children });
  if (shown === 0 && version !== undefined) {
    throw new CliError('NoSuchVersion', `No model call was made for version ${version}.`, 'Leave the number out.');
  }
  if (shown === 0) printText([...runHead(client, description), 'The run has made no model call.'].join('\n'));
  if (children.length > 0) printText(childrenText(children));
}

function childrenText(children: readonly string[]): string {
  const more = children.length - MOST_CHILDREN;
  const ids = children.slice(0, MOST_CHILDREN).map((id) => `  reflect show ${printable(id)} --prompts`);
  return [pc.dim('It started runs with calls of their own:'), ...ids, ...(more > 0 ? [`  and ${more} more`] : [])].join(
    '\n',
  );
}
