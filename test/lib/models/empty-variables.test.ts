import { createModels } from '../../../src/lib/models';
import { ScriptedOpenAI } from '../../../src/apps/testing/scripted-model/server';

/** Compose files and the like can only set a variable to nothing, not unset it. */
test('an empty variable is one that is not set', async () => {
  const server = await ScriptedOpenAI.start({ script: [{ reply: 'yes' }] });
  const request = { messages: [], timeoutMs: 5_000, signal: new AbortController().signal };
  const models = createModels([], { OPENAI_API_KEY: '', OPENAI_MODEL: '', OPENAI_BASE_URL: server.baseUrl });
  expect(await models.call(request)).toMatchObject({ text: 'yes' });
  expect(server.ledger[0]!.body!.model).toBe('gpt-4o-mini');
  await server.close();
  const nowhere = createModels([], { OPENAI_API_KEY: '', OPENAI_BASE_URL: '' });
  await expect(nowhere.call(request)).rejects.toThrow('OPENAI_API_KEY');
});
