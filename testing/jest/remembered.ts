import type { Runtime } from '@temporalio/worker';

/** What the SDK keeps for the whole process: workers of the next file would find the logger that this file installed. */
const TEMPORAL_RUNTIME = require.resolve('@temporalio/worker/lib/runtime');

async function stopTemporalRuntime(): Promise<void> {
  const loaded = require.cache[TEMPORAL_RUNTIME]?.exports as { Runtime: typeof Runtime } | undefined;
  if (loaded === undefined) return;
  await loaded.Runtime._instance?.shutdown();
  Object.assign(loaded.Runtime, { defaultOptions: {} });
}

/** Remembers the properties of an object, and what each holds. */
function properties(object: object): () => void {
  const before = Object.getOwnPropertyDescriptors(object);
  return () => {
    for (const key of Reflect.ownKeys(object)) if (!Object.hasOwn(before, key)) Reflect.deleteProperty(object, key);
    for (const key of Reflect.ownKeys(before)) {
      const was = Reflect.get(before, key) as PropertyDescriptor;
      const is = Object.getOwnPropertyDescriptor(object, key);
      // A getter of Node's that was read has become the value, and may stay it.
      if ('value' in was && is?.value !== was.value) Reflect.defineProperty(object, key, was);
    }
  };
}

function environmentVariables(): () => void {
  const before = { ...process.env };
  return () => {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    for (const [name, value] of Object.entries(before)) if (process.env[name] !== value) process.env[name] = value;
  };
}

function listeners(): () => void {
  const before = new Map(process.eventNames().map((name) => [name, new Set(process.rawListeners(name))]));
  return () => {
    for (const name of process.eventNames())
      for (const listener of process.rawListeners(name))
        if (!before.get(name)?.has(listener)) process.removeListener(name, listener as () => void);
  };
}

/** Remembers what a test file may change in its process. Gives what changes it back. */
export function remembered(): () => Promise<void> {
  const { exitCode, exit } = process;
  const all = [properties(globalThis), environmentVariables(), listeners()];
  return async () => {
    await stopTemporalRuntime();
    for (const restore of all) restore();
    Object.assign(process, { exitCode, exit });
  };
}
