import { spawnSync } from 'node:child_process';
import { ScriptedOpenAI } from '../../../src/apps/testing/scripted-model/server';
import type { ScriptEntry, ScriptedRequest } from '../../../src/apps/testing/scripted-model/script';
import { countingProxy } from '../../../testing/models/real/counting-proxy';
import { modelName } from '../../../testing/models/real/llama-server';
import { realLoops } from '../../../testing/models/real/real-loops';
import { promptOf } from '../../../testing/models/task';
import { allTasks } from '../../../testing/models/tasks';
import '../../../testing/support/quiet';
import { testAddress } from '../../../testing/support/temporal-server';

const tasks = allTasks();
const usage = { prompt: 70, completion: 7 };

function answer({ body, text, last }: ScriptedRequest): ScriptEntry {
  const prompt = body.messages[0]?.content ?? '';
  const task = tasks.find((each) => prompt.includes(promptOf(each)));
  if (task?.id === 'extraction-calendar-2') return { reply: '{"customer": 1}', usage };
  if (task) return { reply: task.samples.right, usage };
  if (text.length > 50_000) return { status: 400, error: { code: 'context_length_exceeded', message: 'too long' } };
  if (/Is it one sentence/.test(text)) return { reply: { pass: true, score: 1, issues: [] }, usage };
  return { reply: last.includes('rain') ? 'Rain falls.' : 'What?', usage };
}

test('the checks of a real endpoint hold for one that does as it should, and name what does not', async () => {
  const openai = await ScriptedOpenAI.start({ script: (request) => answer(request) });
  const told: string[] = [];
  const place = { address: testAddress(), model: 'm', baseUrl: openai.baseUrl };
  const checks = await realLoops(place, ({ name }) => told.push(name));
  await openai.close();
  expect(told).toEqual(checks.map(({ name }) => name));
  expect(checks).toHaveLength(10);
  const wrong = checks.filter(({ problem }) => problem !== undefined);
  expect(wrong.map(({ name }) => name)).toEqual(['structured output: extraction-calendar-2']);
  expect(wrong[0]!.problem).toMatch(/^not of its schema: .*events/);
});

test('the proxy passes answers on, and counts those that were whole', async () => {
  const openai = await ScriptedOpenAI.start({
    script: [{ reply: 'a', usage }, { status: 429 }, { reply: 'b', usage }],
  });
  const proxy = await countingProxy(openai.baseUrl);
  const ask = () =>
    fetch(`${proxy.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x' }] }),
    });
  const answers = [await ask(), await ask(), await ask()];
  expect(answers.map(({ status }) => status)).toEqual([200, 429, 200]);
  expect(await answers[2]!.json()).toMatchObject({ choices: [{ message: { content: 'b' } }] });
  expect(proxy.take()).toEqual({ calls: 2, promptTokens: 140, completionTokens: 14 });
  expect(proxy.take()).toEqual({ calls: 0, promptTokens: 0, completionTokens: 0 });
  await proxy.close();
  await openai.close();
});

test('a model of a file is called by the name of the file', () => {
  expect(modelName({ file: '/models/qwen-7b.Q4_K_M.gguf' })).toBe('qwen-7b.Q4_K_M');
  expect(modelName('qwen2.5-coder-1.5b')).toBe('qwen2.5-coder-1.5b');
});

test('weights that are not there are refused before anything is built', () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', 'scripts/real-model.ts', '--weights', 'missing.gguf'],
    { encoding: 'utf8' },
  );
  expect({ status, stderr }).toEqual({ status: 2, stderr: 'There is no file missing.gguf.\n' });
});
