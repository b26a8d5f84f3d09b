import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LimitCase, PlayedCase } from './limit-case';

const FOLDER = join(__dirname, '..', '..', '.reflect', 'limits');
const SHOWN_CHARACTERS = 600;

const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MB`;

/** One line of the table. */
export function lineOf({ name, outcome, runs, events, bytes, ms, failedTasks, violations }: PlayedCase): string {
  const mark = violations.length > 0 ? '✗' : failedTasks.length > 0 ? '~' : '✓';
  const counts = `${runs} runs ${events} events ${megabytes(bytes)} ${(ms / 1_000).toFixed(1)} s`;
  const once = violations.length === 0 && failedTasks.length > 0 ? ` once: ${failedTasks[0]}` : '';
  return `${mark} ${name}: ${outcome} (${counts})${once}`;
}

/** The value with its long texts and lists cut, for people. */
export function shortened(value: unknown): string {
  const text = JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === 'string' && part.length > 80) return `${part.slice(0, 20)}… (${part.length} characters)`;
    if (Array.isArray(part) && part.length > 4) return [...(part as unknown[]).slice(0, 2), `… (${part.length} items)`];
    return part;
  });
  return text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}…`;
}

/** Keeps a whole argument in a file. */
function kept(name: string, content: unknown): string {
  mkdirSync(FOLDER, { recursive: true });
  const file = join(FOLDER, `${name.replaceAll(/[^\w.-]+/g, '-').slice(0, 120)}.json`);
  writeFileSync(file, JSON.stringify(content));
  return file;
}

/** Keeps the whole argument of a case in a file, and says how to run it again. Of a generated spec also the smallest one. */
export function reproduction(
  { name, workflow, argument, origin }: LimitCase,
  { smallest }: Pick<PlayedCase, 'smallest'>,
  options: string,
): string {
  const lines = [
    `  again: npm run limits -- --case '${name}'${options}`,
    `  ${workflow}: ${shortened(argument)}`,
    `  whole: ${kept(name, { workflow, argument })}`,
  ];
  if (!origin) return lines.join('\n');
  if (!smallest)
    return [...lines, `  seed ${origin.seed}: it did not fail again, so none smaller was looked for`].join('\n');
  const file = kept(`${name} smallest`, { workflow, argument: smallest.spec });
  return [
    ...lines,
    `  seed ${origin.seed}, path ${smallest.path}: the smallest that fails, for "${smallest.why}"`,
    `  ${workflow}: ${shortened(smallest.spec)}`,
    `  whole: ${file}`,
  ].join('\n');
}

/** What came of all cases, in a few lines. */
export function summaryOf(played: readonly PlayedCase[], minutes: number): string {
  const outcomes = new Map<string, number>();
  for (const { outcome } of played) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  const violating = played.filter(({ violations }) => violations.length > 0);
  const failedOnce = played.filter(({ failedTasks }) => failedTasks.length > 0).length;
  return [
    `${played.length} cases in ${minutes.toFixed(1)} min`,
    ...[...outcomes].sort(([, first], [, second]) => second - first).map(([outcome, count]) => `  ${count} ${outcome}`),
    `cases with a workflow task that failed: ${failedOnce}`,
    `cases with violations: ${violating.length}`,
    ...violating.map(({ name, violations }) => `  ${name}: ${violations.join(' | ')}`),
  ].join('\n');
}
