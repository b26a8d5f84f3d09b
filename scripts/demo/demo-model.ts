import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelConfig } from '../../src/worker';
import type { ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';

/** What writes the demo's versions. */
export interface DemoModel {
  /** For the worker; none means that the environment names the model. */
  models: ModelConfig[];
  /** Says plainly what it is. */
  description: string;
  stop(): Promise<void>;
}

/** The model of `OPENAI_API_KEY` or `OPENAI_BASE_URL`; without them a script that speaks its protocol. */
export async function demoModel(root: string): Promise<DemoModel> {
  if (process.env['OPENAI_API_KEY'] || process.env['OPENAI_BASE_URL']) {
    const where = process.env['OPENAI_BASE_URL'] ? 'OPENAI_BASE_URL' : 'OPENAI_API_KEY';
    return { models: [], description: `The model of your ${where} writes the versions.`, stop: async () => undefined };
  }
  const script = JSON.parse(readFileSync(join(root, 'examples', 'demo-script.json'), 'utf8')) as ScriptEntry[];
  const server = await ScriptedOpenAI.start({ script });
  return {
    models: [{ name: 'script', model: 'script', baseUrl: server.baseUrl }],
    description: [
      'A script stands in for a model: its replies are written in examples/demo-script.json.',
      'Set OPENAI_API_KEY or OPENAI_BASE_URL to see a real one.',
    ].join('\n'),
    stop: () => server.close(),
  };
}
