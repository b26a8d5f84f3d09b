/** Where the Temporal Web UI of a server shows a run; undefined where we cannot know. `TEMPORAL_UI_URL` names it. */
export function runLink(
  server: { address: string; namespace: string },
  run: { workflowId: string; runId: string },
  uiUrl: string | undefined = process.env['TEMPORAL_UI_URL'],
): string | undefined {
  const base = uiUrl ?? guessedUi(server.address);
  if (base === undefined) return undefined;
  const parts = ['namespaces', server.namespace, 'workflows', run.workflowId, run.runId];
  return `${base.replace(/\/+$/, '')}/${parts.map(encodeURIComponent).join('/')}`;
}

/** The development server's UI listens 1000 ports above it; Temporal Cloud has one UI for all. */
function guessedUi(address: string): string | undefined {
  const [, host, port] = /^(.+):(\d+)$/.exec(address) ?? [];
  if (host === undefined || port === undefined) return undefined;
  if (/\.(?:tmprl\.cloud|temporal\.io)$/.test(host)) return 'https://cloud.temporal.io';
  return /^(?:localhost|127\.0\.0\.1)$/.test(host) ? `http://${host}:${Number(port) + 1000}` : undefined;
}
