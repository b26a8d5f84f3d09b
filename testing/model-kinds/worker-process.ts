import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { MockLanguageModelV3 } from 'ai/test';
import { createWorker, fromAiSdk } from '../../src/worker';
import { replyText } from '../../src/apps/testing/scripted-model/answers';
import { withAskedCode, wordsOf } from '../../src/apps/testing/scripted-model/judge-codes';
import { answerTo, callOf } from './hanging-calls';

const { OPENAI_BASE_URL: baseURL = '', MOCK_LEDGER: ledger = '' } = process.env;

/** Calls outlive the process in a file, which the next process goes on with. */
function mock(): MockLanguageModelV3 {
  return new MockLanguageModelV3({
    async doGenerate({ prompt }) {
      const call = callOf(JSON.stringify(prompt));
      appendFileSync(ledger, `${call}\n`);
      const asked = readFileSync(ledger, 'utf8')
        .split('\n')
        .filter((line) => line === call).length;
      const entry = answerTo(call, asked);
      if (!('reply' in entry)) return new Promise(() => undefined);
      const text = withAskedCode(replyText(entry.reply), wordsOf(prompt.at(-1)?.content));
      const count = { noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
      return {
        content: [{ type: 'text', text }],
        finishReason: { unified: 'stop', raw: 'stop' },
        usage: {
          inputTokens: { total: 10, ...count },
          outputTokens: { total: 1, text: undefined, reasoning: undefined },
        },
        warnings: [],
      };
    },
  });
}

/** A worker with a model of the AI SDK, as a process of its own. Says `ready` once it polls. */
async function main(): Promise<void> {
  const compatible = createOpenAICompatible({ name: 'scripted', baseURL, supportsStructuredOutputs: true });
  const model = existsSync(ledger) ? mock() : compatible('m-1');
  const worker = await createWorker({ models: [fromAiSdk(model)], recovery: 'fast' });
  process.stdout.write('ready\n');
  await worker.run();
}

void main();
