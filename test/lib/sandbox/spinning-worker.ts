/** A worker whose code never ends: says which process runs it, and then waits to be killed. */
import { readFileSync, readdirSync } from 'node:fs';
import { createSandbox } from '../../../src/lib/sandbox';

/** Nothing of a process that has gone meanwhile. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Processes below this one that hold an interpreter. */
function interpreters(): string[] {
  const parents = new Map<string, string>();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const [, parent] = /^PPid:\s+(\d+)/m.exec(read(`/proc/${pid}/status`)) ?? [];
    if (parent !== undefined) parents.set(pid, parent);
  }
  const isOurs = (pid: string | undefined): boolean =>
    pid !== undefined && pid !== '0' && (pid === String(process.pid) || isOurs(parents.get(pid)));
  return [...parents.keys()].filter((pid) => {
    if (pid === String(process.pid) || !isOurs(pid)) return false;
    return read(`/proc/${pid}/cmdline`).startsWith('/bin/node\0');
  });
}

const sandbox = createSandbox({ level: 'namespaces', poolSize: 0, timeMs: 60_000 });
void sandbox.run({ language: 'javascript', code: 'for (;;) {}', inputs: { state: {} } });
const looking = setInterval(() => {
  const found = interpreters();
  if (found.length === 0) return;
  clearInterval(looking);
  // It was just started: a moment later it has its code.
  setTimeout(() => console.log(found.join()), 3_000);
}, 100);
