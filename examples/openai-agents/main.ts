/**
 * An agent with Temporal's plugin for the OpenAI Agents SDK, in a loop with a judge. Copy the folder, run `npm install`, then:
 *
 *     npx reflect server
 *     OPENAI_API_KEY=… npm start
 */
import { OpenAIProvider } from '@openai/agents-openai';
import { Client, Connection } from '@temporalio/client';
import { OpenAIAgentsPlugin } from '@temporalio/openai-agents';
import { NativeConnection, Worker } from '@temporalio/worker';
import { ReflectionPlugin } from 'durable-reflection/worker';
import * as activities from './activities';
import type { answerCustomer } from './workflows';

const { TEMPORAL_ADDRESS: address, OPENAI_MODEL: model = 'gpt-4o-mini' } = process.env;
const EMAIL = 'When does my order 1807 arrive?';

/** Starts a worker with both plugins, and has one e-mail answered. */
async function main(): Promise<void> {
  const taskQueue = `openai-agents-${process.pid}`;
  // Reads OPENAI_API_KEY and OPENAI_BASE_URL. Chat completions, which every endpoint has.
  const agents = new OpenAIAgentsPlugin({ modelProvider: new OpenAIProvider({ useResponses: false }) });
  const connection = await NativeConnection.connect({ address });
  const worker = await Worker.create({
    connection,
    taskQueue,
    activities,
    workflowsPath: require.resolve('./workflows'),
    // The agent's model calls are the first plugin's, the judge's are those of ReflectionPlugin, with the same variables.
    plugins: [agents, new ReflectionPlugin({ drainMs: 0 })],
  });
  const client = new Client({ connection: await Connection.connect({ address }) });
  await worker.runUntil(async () => {
    const workflowId = taskQueue;
    const args: [string, string] = [EMAIL, model];
    const result = await client.workflow.execute<typeof answerCustomer>('answerCustomer', {
      taskQueue,
      workflowId,
      args,
    });
    for (const { iteration, output, evaluation } of result.history.versions) {
      const issues = evaluation.issues.map((issue) => issue.message).join('; ');
      console.log(`${iteration}: ${String(output)} (score ${evaluation.overallScore}) ${issues}`.trimEnd());
    }
    const { totalTokens, modelCalls } = result.tokenUsage;
    console.log(`${result.success ? 'passed' : 'did not pass'}: ${modelCalls} model calls, ${totalTokens} tokens`);
  });
  await client.connection.close();
  await connection.close();
}

if (require.main === module) void main();
