import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Runtime } from '@temporalio/worker';
import { ScriptedOpenAI } from '../../../src/apps/testing/scripted-model/server';
import { createModels } from '../../../src/lib/models';
import {
  judgeModel,
  judgeRecordsFile,
  judgeWarnings,
  keepJudgeRecord,
  readJudgeRecord,
} from '../../../src/worker/running/judge-records';
import { eventually } from '../../../testing/support/eventually';
import { startWorld } from '../../../testing/support/loop-world';

let cache: string;
let env: NodeJS.ProcessEnv;
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'reflect-judges-'));
  env = { XDG_CACHE_HOME: cache };
});
afterEach(() => rmSync(cache, { recursive: true, force: true }));

const record = { at: '2026-01-01T00:00:00.000Z', of: 12, falsePasses: 0, falseFails: 0, unjudged: 0 };
const configs = [
  { name: 'small', model: 'small-1', baseUrl: 'http://127.0.0.1:9/v1/' },
  { name: 'large', model: 'large-1' },
];
const { served } = createModels(configs, {});

test('records belong to an endpoint and a model, and a file that cannot be read has none', async () => {
  const [small, large] = [judgeModel(served, 'small', {})!, judgeModel(served, 'large', {})!];
  expect([small, large]).toEqual([
    { endpoint: 'http://127.0.0.1:9/v1', model: 'small-1' },
    { endpoint: 'https://api.openai.com/v1', model: 'large-1' },
  ]);
  expect(judgeModel(served, undefined, {})).toEqual(small);
  await keepJudgeRecord(small, { ...record, right: 5 }, env);
  await keepJudgeRecord(large, { ...record, right: 11 }, env);
  expect([await readJudgeRecord(small, env), await readJudgeRecord(large, env)]).toMatchObject([
    { right: 5 },
    { right: 11 },
  ]);
  expect(await readJudgeRecord({ ...small, endpoint: 'http://127.0.0.1:10/v1' }, env)).toBeUndefined();
  for (const text of ['not JSON', '[]', JSON.stringify({ [`judges@1 ${small.endpoint} small-1`]: { right: 'all' } })]) {
    writeFileSync(judgeRecordsFile(env), text);
    expect(await readJudgeRecord(small, env)).toBeUndefined();
  }
});

describe('the warnings of a worker about its judges', () => {
  /** What a worker says when these models judge, one after the other. */
  async function warned(...names: (string | undefined)[]): Promise<string[]> {
    const said: string[] = [];
    const note = judgeWarnings({ served, env }, (message) => said.push(message));
    for (const name of names) note(name);
    // Reading a file takes a moment.
    await new Promise((resolve) => setTimeout(resolve, 100));
    return said;
  }

  test('given a model that was never tried, it warns once, and says how to try it', async () => {
    expect(await warned('small', undefined, 'small')).toEqual([
      expect.stringMatching(/^the model small-1 judges, and was never tried as a judge: `npx reflect doctor --judge`/),
    ]);
  });

  test('given a record, it warns only of an unreliable one', async () => {
    await keepJudgeRecord(judgeModel(served, 'small', {})!, { ...record, right: 10 }, env);
    await keepJudgeRecord(judgeModel(served, 'large', {})!, { ...record, right: 6 }, env);
    expect(await warned('small', 'large')).toEqual([
      expect.stringMatching(/^the model large-1 judges, and its verdicts were right for 6 of 12 outputs/),
    ]);
  });

  test('given a model of code, or a name that is not known, it says nothing', async () => {
    const own = createModels([{ name: 'own', call: () => Promise.reject(new Error('none')) }], {}).served;
    expect(judgeModel(own, 'own', {})).toBeUndefined();
    expect(await warned('nobody')).toEqual([]);
  });

  test('a run with a judge has the worker warn, without another call', async () => {
    const before = process.env['XDG_CACHE_HOME'];
    process.env['XDG_CACHE_HOME'] = cache;
    mkdirSync(dirname(judgeRecordsFile(env)), { recursive: true });
    const scripted = await ScriptedOpenAI.start({
      script: [{ times: 2, reply: { valid: true, score: 0.9, issues: [] } }],
    });
    const world = await startWorld({ models: [{ name: 'm', model: 'm-1', baseUrl: scripted.baseUrl }] });
    const warn = jest.spyOn(Runtime.instance().logger, 'warn').mockImplementation(() => undefined);
    try {
      const told = () => warn.mock.calls.filter(([message]) => message.includes('never tried as a judge'));
      const evaluation = { evaluator: { type: 'llm', prompt: 'Is it good?' }, data: 'text' } as const;
      for (const _time of [1, 2])
        expect(await world.client.evaluations.run(evaluation)).toMatchObject({ outcome: 'pass' });
      expect(await eventually(told, (calls) => calls.length > 0)).toHaveLength(1);
      scripted.assertDone();
    } finally {
      warn.mockRestore();
      if (before === undefined) delete process.env['XDG_CACHE_HOME'];
      else process.env['XDG_CACHE_HOME'] = before;
      await world.close();
      await scripted.close();
    }
  }, 30_000);
});
