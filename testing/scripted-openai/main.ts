import { readFileSync } from 'node:fs';
import type { ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { messageOf } from '../../src/lib/base/message-of';

/**
 * The scripted server as a process of its own, so that it outlives workers that a test kills:
 * `node --import tsx testing/scripted-openai/main.ts SCRIPT.json PORT LEDGER`. Prints its base URL. Told to stop, it says with
 * exit code 1 that a request came for which the script had no answer.
 */
async function main(): Promise<void> {
  const [scriptFile, port, ledgerFile] = process.argv.slice(2);
  if (!scriptFile) throw new Error('usage: main.ts SCRIPT.json [PORT] [LEDGER]');
  const server = await ScriptedOpenAI.start({
    script: JSON.parse(readFileSync(scriptFile, 'utf8')) as ScriptEntry[],
    port: Number(port ?? 0),
    ...(ledgerFile === undefined ? {} : { ledgerFile }),
  });
  const stop = (): void => void server.close().then(() => process.exit(0), fail);
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  process.stdout.write(`${server.baseUrl}\n`);
}

function fail(error: unknown): void {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exit(1);
}

main().catch(fail);
