/** `npm run client-types`: makes the types for clients in Python and Go, `examples/clients/types`, of the JSON Schemas. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeGoTypes, makePythonTypes, TYPE_FILES, writeShapes } from '../testing/client-types/make-types';

const TARGET = path.join(__dirname, '..', 'examples', 'clients', 'types');

async function main(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'client-types-'));
  try {
    for (const language of ['python', 'go']) mkdirSync(path.join(folder, language));
    writeShapes(folder);
    await makePythonTypes(folder);
    await makeGoTypes(folder);
    for (const file of TYPE_FILES) {
      mkdirSync(path.dirname(path.join(TARGET, file)), { recursive: true });
      copyFileSync(path.join(folder, file), path.join(TARGET, file));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
