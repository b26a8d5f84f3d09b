import type { PackageSource } from './package-source';
import { ownManifest } from './project-files';

/** A command to type, and what for. */
interface NextCommand {
  command: string;
  purpose: string;
}

const TEST = 'runs the loop with scripted answers: needs no API key';

/**
 * Lists the next commands for a new project.
 *
 * @param kept a package.json of the owner's has neither our packages nor our scripts
 */
export function nextCommands(kept: readonly string[], { spec, pack }: PackageSource): NextCommand[] {
  const before =
    pack === undefined ? [] : [{ command: pack, purpose: 'a tarball of durable-reflection, from its checkout' }];
  if (!kept.includes('package.json')) {
    return [
      ...before,
      { command: 'npm install', purpose: 'the packages' },
      { command: 'npm test', purpose: TEST },
      { command: 'npm run server', purpose: 'a Temporal server; then, each in a terminal of its own:' },
      { command: 'npm run worker -- --scripted', purpose: 'executes runs; without --scripted it needs a key in .env' },
      { command: 'npm run client', purpose: 'starts a run and prints its result' },
    ];
  }
  const request = spec.startsWith('file:') ? spec : `${ownManifest().name}@${spec}`;
  return [
    ...before,
    { command: `npm install ${request.includes(' ') ? `"${request}"` : request}`, purpose: 'the packages' },
    { command: 'node --test loop.test.mjs', purpose: TEST },
    { command: 'npx reflect server', purpose: 'a Temporal server; then, each in a terminal of its own:' },
    { command: 'node worker.mjs --scripted', purpose: 'executes runs; without --scripted it needs a key in .env' },
    { command: 'node client.mjs', purpose: 'starts a run and prints its result' },
  ];
}
