import { ReflectionPlugin } from '../../src/worker';

describe('the plugin', () => {
  test('refuses a second data converter, and activities of its own names', () => {
    const plugin = new ReflectionPlugin({ dataConverter: { payloadCodecs: [] } });
    expect(() => plugin.configureClient({ dataConverter: { payloadCodecs: [] } })).toThrow(
      'Payloads are written one way',
    );
    const activities = { 'reflection.generate': async () => 'mine' };
    expect(() => new ReflectionPlugin().configureWorker({ taskQueue: 'q', activities })).toThrow(
      'named as those of ReflectionPlugin: reflection.generate',
    );
  });

  test('gives a worker without workflows ours', () => {
    const options = new ReflectionPlugin().configureWorker({ taskQueue: 'q' });
    expect(options.workflowsPath ?? options.workflowBundle).toBeDefined();
  });
});
