import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The documents that the requirements come from. They are not part of this repository. */
export const SEEDS = process.env['SEEDS_DIR'] ?? path.join(__dirname, '..', '..', '..', 'shared', 'seeds');

/** A block of YAML or JSON in a document. */
export interface Fence {
  /** Document and line of its first line. */
  name: string;
  text: string;
}

/** Every block of YAML and JSON of every document. */
export function seedFences(): Fence[] {
  if (!existsSync(SEEDS)) return [];
  return readdirSync(SEEDS)
    .filter((file) => file.endsWith('.md'))
    .toSorted()
    .flatMap((file) => {
      const lines = readFileSync(path.join(SEEDS, file), 'utf8').split('\n');
      return lines.flatMap((line, index) => {
        if (!/^ *```(?:ya?ml|jsonc?)\b/i.test(line)) return [];
        const length = lines.slice(index + 1).findIndex((one) => /^ *```\s*$/.test(one));
        return [{ name: `${file}:${index + 2}`, text: lines.slice(index + 1, index + 1 + length).join('\n') }];
      });
    });
}
