import { readFileSync } from 'node:fs';
import { ScriptedOpenAI } from './server';

/**
 * The scripted server as a process of its own, so that it outlives workers that a test kills:
 * `node --import tsx test/scripted-openai/main.ts SCRIPT.json PORT LEDGER`. Prints its base URL.
 */
async function main(): Promise<void> {
  const [scriptFile, port, ledgerFile] = process.argv.slice(2);
  if (!scriptFile) throw new Error('usage: main.ts SCRIPT.json [PORT] [LEDGER]');
  const server = await ScriptedOpenAI.start({
    script: JSON.parse(readFileSync(scriptFile, 'utf8')),
    port: Number(port ?? 0),
    ...(ledgerFile === undefined ? {} : { ledgerFile }),
  });
  process.stdout.write(`${server.baseUrl}\n`);
}

void main();
