import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ReflectCommand } from '../apps/cli/reflect-command';

const DOCS = path.join(__dirname, '..', '..', 'docs');

/** Starts the example of the docs, and reads the link that it prints. */
export async function startReview(address: string): Promise<{ command: ReflectCommand; link: string }> {
  const [, example = ''] = /^npx reflect (review\b.*)$/m.exec(readFileSync(path.join(DOCS, 'review.md'), 'utf8'))!;
  const command = new ReflectCommand([...example.split(' '), '--address', address]);
  await command.says(/\?token=\S+\s/);
  const [link = ''] = /http:\S+token=\S+/.exec(command.stdout)!;
  return { command, link };
}
