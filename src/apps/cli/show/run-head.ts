import pc from 'picocolors';
import type { ReflectionClient } from '../../../client';
import type { RunDescription } from './describe-run';
import { printable } from '../views/printable';
import { runLink, serverOf } from '../support/web-ui';

interface Failure {
  type: string;
  message: string;
}

export function runHead(
  client: ReflectionClient,
  { workflowId, status, startedAt }: RunDescription,
  kind?: string,
  about = '',
): string[] {
  const link = runLink(serverOf(client), { workflowId });
  const what = [...(kind === undefined ? [] : [kind]), status.toLowerCase(), `started ${startedAt.toISOString()}`];
  return [
    `${pc.bold(workflowId)}  ${what.join(', ')}`,
    ...(link === undefined ? [] : [pc.dim(link)]),
    ...(about === '' ? [] : [about]),
    '',
  ];
}

export function failureLine({ type, message }: Failure): string {
  return `${pc.red(`${type}:`)} ${printable(message)}`;
}

export function retryingLines(progress: unknown): string[] {
  const { retrying } = (progress ?? {}) as { retrying?: unknown };
  return typeof retrying === 'string' ? [pc.yellow(printable(retrying)), ''] : [];
}

export function failureJson(failure: Failure | undefined): { failure?: Failure } {
  return failure ? { failure: { type: failure.type, message: failure.message } } : {};
}
