/**
 * Prints what an answer does to the process that reads it: arguments are a folder, the script that answers, and limits. In a
 * process of its own, because the garbage of other tests grows and goes when it will.
 */
import { MainThreadWatch } from '../../../testing/support/main-thread';
import { answerTo, type LIMITS } from './frame-answers';

async function main([folder, script, limits]: string[]): Promise<void> {
  const before = process.memoryUsage().rss;
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 5);
  const loop = new MainThreadWatch();
  const { kind } = await answerTo(folder!, script!, JSON.parse(limits!) as typeof LIMITS);
  const stallMs = loop.stop();
  clearInterval(watch);
  console.log(JSON.stringify({ kind, stallMs, grownBytes: Math.max(most, process.memoryUsage().rss) - before }));
}

void main(process.argv.slice(2));
