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

  test("leaves an owner's payload converter its say: workflow code that was built before reads payloads another way", () => {
    const dataConverter = { payloadConverterPath: '/theirs/converter.js' };
    const options = new ReflectionPlugin().configureWorker({ taskQueue: 'q', dataConverter });
    expect(options).toMatchObject({ dataConverter, workflowsPath: expect.any(String) as string });
    expect(options.interceptors?.workflowModules).toEqual([require.resolve('../../src/workflows/interceptors')]);
  });
});
