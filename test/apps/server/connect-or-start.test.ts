import { join } from 'node:path';

import { connectOrStart, serverAddress, uiUrlOf } from '../../../src/apps/server/connect-or-start';
import { testCli, testConnection } from '../../../testing/support/temporal-server';
import { temporaryFolders } from './fake-programs';

const newFolder = temporaryFolders();

test('TEMPORAL_ADDRESS names the server to use: nothing is looked for or started', async () => {
  const env = { TEMPORAL_ADDRESS: 'temporal.example:7233', TEMPORAL_CLI: '/nowhere' };
  const server = await connectOrStart({ env, cacheDirectory: newFolder() });
  expect(server).toMatchObject({
    address: 'temporal.example:7233',
    uiUrl: 'http://temporal.example:8233',
    started: false,
  });
  await server.stop();
  expect(uiUrlOf('http://h:1', {})).toBe('http://h:8233');
  expect(uiUrlOf('h:1', { TEMPORAL_UI_URL: 'https://ui.example' })).toBe('https://ui.example');
  expect(serverAddress({ TEMPORAL_ADDRESS: '' })).toBeUndefined();
});

test('a server that runs on the database file already is used, and is not stopped by who did not start it', async () => {
  const options = {
    env: {},
    cli: await testCli(),
    databaseFile: join(newFolder(), 'temporal.db'),
    ui: true,
    keepAlive: false,
  };
  const first = await connectOrStart(options);
  const second = await connectOrStart(options);
  expect([first.started, second.started]).toEqual([true, false]);
  expect([second.address, second.uiUrl]).toEqual([first.address, first.uiUrl]);
  await second.stop();
  const third = await connectOrStart(options);
  expect(third.started).toBe(false);
  await first.stop();
  const fourth = await connectOrStart(options);
  expect(fourth.started).toBe(true);
  await fourth.stop();
});

test('the server of the test run answers', async () => {
  const connection = await testConnection();
  const { serverVersion } = await connection.workflowService.getSystemInfo({});
  expect(serverVersion).toMatch(/^\d+\.\d+/);
  await connection.close();
});
