import pc from 'picocolors';
import { webUiLink } from '../../../lib/names/web-ui-link';
import type { ReflectionClient, RunReference } from '../../../client';
import { printProgress } from '../terminal/say';

export function serverOf({ temporal }: ReflectionClient): { address: string; namespace: string } {
  const { options } = temporal.connection as { options?: { address?: string } };
  return { address: options?.address ?? '', namespace: temporal.options.namespace };
}

export function announceRun(
  client: ReflectionClient,
  run: RunReference,
  name: string,
  news: NodeJS.WriteStream,
): string | undefined {
  const link = runLink(serverOf(client), run);
  printProgress(news, `${pc.bold(name)}  ${run.workflowId}`);
  if (link !== undefined) printProgress(news, pc.dim(link));
  news.write('\n');
  return link;
}

/**
 * Returns the link to the latest run of an id in the Temporal Web UI of a server; undefined if it cannot be known.
 * `TEMPORAL_UI_URL` names the UI; empty: there is none.
 */
export function runLink(
  server: { address: string; namespace: string },
  run: Pick<RunReference, 'workflowId'>,
  uiUrl: string | undefined = process.env['TEMPORAL_UI_URL'],
): string | undefined {
  const base = uiUrl ?? guessedUi(server.address);
  return base ? webUiLink(base, { namespace: server.namespace, workflowId: run.workflowId }) : undefined;
}

/** Tabs of a run in the Web UI: its page as a worker makes it, and the timeline below its result, where the page is kept. */
export type RunTab = 'user-metadata' | 'timeline';

/** The link of one of these tabs, which needs the id of the run, too: the UI takes what follows a workflow's id for one. */
export function tabLink(
  server: { address: string; namespace: string },
  run: RunReference,
  tab: RunTab,
  uiUrl?: string,
): string | undefined {
  const link = runLink(server, run, uiUrl);
  return link && `${link}/${encodeURIComponent(run.runId)}/${tab}`;
}

/** Guesses the address of the UI: the development server's UI listens 1000 ports above it; Temporal Cloud has one UI for all. */
function guessedUi(address: string): string | undefined {
  const [, host, port] = /^(.+):(\d+)$/.exec(address) ?? [];
  if (host === undefined || port === undefined) return undefined;
  if (/\.(?:tmprl\.cloud|temporal\.io)$/.test(host)) return 'https://cloud.temporal.io';
  return /^(?:localhost|127\.0\.0\.1)$/.test(host) ? `http://${host}:${Number(port) + 1000}` : undefined;
}
