import { AsyncLocalStorage } from 'node:async_hooks';

/** What a worker makes of a bundle's text: among others, it reads the source map, writes it again and runs the code once. */
type Parsed = object;

interface WorkerClass {
  getOrCreateBundle(...args: never[]): Promise<Parsed | undefined>;
}

/** Says, where a worker asks for a bundle, that this process has parsed it before. */
class AlreadyParsed extends Error {
  constructor(readonly parsed: Parsed) {
    super('this process has parsed the bundle before');
  }
}

const parsedBundles = new Map<string, Parsed>();
const asking = new AsyncLocalStorage<{ file?: string }>();

/** Lets a worker take what another one of this process made of the same bundle. For SDK class `Worker`. */
export function rememberParsed(workerClass: WorkerClass): void {
  const parse = workerClass.getOrCreateBundle;
  workerClass.getOrCreateBundle = function getOrRemember(...args) {
    const asked: { file?: string } = {};
    return asking.run(asked, async () => {
      try {
        const parsed = await parse.apply(this, args);
        if (asked.file !== undefined && parsed) parsedBundles.set(asked.file, parsed);
        return parsed;
      } catch (error) {
        if (error instanceof AlreadyParsed) return error.parsed;
        throw error;
      }
    });
  };
}

/** For the bundler, before it gives a worker the bundle that is in a file. */
export function stopIfParsed(file: string): void {
  const asked = asking.getStore();
  if (asked === undefined) return;
  const parsed = parsedBundles.get(file);
  if (parsed) throw new AlreadyParsed(parsed);
  asked.file = file;
}
