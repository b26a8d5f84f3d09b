export function webUiLink(base: string, { namespace, workflowId }: { namespace: string; workflowId: string }): string {
  const parts = ['namespaces', namespace, 'workflows', workflowId];
  return `${base.replace(/\/+$/, '')}/${parts.map(encodeURIComponent).join('/')}`;
}
