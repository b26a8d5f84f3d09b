/**
 * Records histories for the replay test: runs the scenarios on a real server, with a scripted model.
 *
 *   npm run replay:record                  scenarios that have no recording yet
 *   npm run replay:record -- chain raise   these, even if they have one
 *   npm run replay:record -- --all         all of them
 *
 * An old recording stands for the runs that somebody has under way. Replacing it hides that a change breaks them, so
 * without being told this script replaces none. See "Changing a workflow" in CONTRIBUTING.md.
 */
import { parseArgs } from 'node:util';
import { installQuietRuntime } from '../src/apps/cli/worker/quiet-runtime';
import { record } from '../testing/replay/record';
import { readRecordings, recordingsOf, writeRecordings } from '../testing/replay/recordings';
import { scenarios } from '../testing/replay/scenarios';
import { Worlds } from '../testing/replay/worlds';

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options: { all: { type: 'boolean' } }, allowPositionals: true });
  const unknown = positionals.filter((name) => !scenarios.some((scenario) => scenario.name === name));
  if (unknown.length > 0) throw new Error(`There is no scenario ${unknown.join(', ')}.`);
  const recorded = readRecordings().map(({ name }) => name);
  const chosen = scenarios.filter(({ name }) =>
    positionals.length > 0 ? positionals.includes(name) : values.all || recordingsOf(name, recorded).length === 0,
  );
  if (chosen.length === 0) {
    // A runtime that nothing was started on would keep the process.
    console.log('Every scenario has a recording. Name those to record again, or say --all.');
    return;
  }
  // What calls send is of no interest, and a real key has no business here.
  process.env['OPENAI_API_KEY'] = 'scripted';
  installQuietRuntime('ERROR');
  const worlds = new Worlds();
  try {
    await worlds.startModels(chosen);
    for (const scenario of chosen) {
      const started = performance.now();
      const histories = await record(scenario, worlds);
      writeRecordings(scenario.name, histories);
      const events = histories.map((history) => history.events.length).join(' + ');
      const seconds = ((performance.now() - started) / 1_000).toFixed(1);
      console.log(`${scenario.name.padEnd(24)} ${scenario.ends.padEnd(22)} ${events} events, ${seconds} s`);
    }
  } finally {
    await worlds.close();
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
