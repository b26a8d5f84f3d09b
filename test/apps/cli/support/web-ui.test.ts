import { runLink, tabLink } from '../../../../src/apps/cli/support/web-ui';

const run = { workflowId: 'order/7 a' };

test('a run has a link into the Web UI, wherever its address can be known', () => {
  const link = (address: string, uiUrl?: string) => runLink({ address, namespace: 'team a' }, run, uiUrl);
  const path = '/namespaces/team%20a/workflows/order%2F7%20a';
  expect(link('127.0.0.1:7233', undefined)).toBe(`http://127.0.0.1:8233${path}`);
  expect(link('ns.a1b2c.tmprl.cloud:7233')).toBe(`https://cloud.temporal.io${path}`);
  expect(link('temporal.example.com:7233')).toBeUndefined();
  expect(link('temporal.example.com:7233', 'https://ui.example.com/')).toBe(`https://ui.example.com${path}`);
});

test('a tab has a link that names the run: the UI would take the tab for the run of a shorter one', () => {
  const server = { address: '127.0.0.1:7233', namespace: 'default' };
  expect(tabLink(server, { workflowId: 'a/b', runId: '0190-1' }, 'timeline')).toBe(
    'http://127.0.0.1:8233/namespaces/default/workflows/a%2Fb/0190-1/timeline',
  );
  expect(
    tabLink({ ...server, address: 'temporal.example.com:7233' }, { workflowId: 'a', runId: 'b' }, 'timeline'),
  ).toBe(undefined);
});
