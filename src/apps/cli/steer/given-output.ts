import { evaluatorTraits } from '../../../loop/spec/evaluator-traits';
import { existsSync, readFileSync } from 'node:fs';
import { text as whole } from 'node:stream/consumers';
import type { Json } from '../../../lib/json/json';
import { jsonMistake } from '../../../lib/json/json-mistake';
import type { ReflectionVersion } from '../../../loop/state/loop-state';
import { CliError } from '../support/cli-error';
import { exactJson } from '../support/run-input';

/** The form of a loop's outputs: JSON; text; or a text that a schema may require to be JSON. */
export type OutputForm = 'json' | 'text' | 'maybe_json';

/** Finds the form that a person's own version should have, by the version before it, if that is known. */
export function formOf(version: Pick<ReflectionVersion, 'output' | 'evaluation'> | undefined): OutputForm {
  if (!version) return 'maybe_json';
  if (version.output !== null && typeof version.output !== 'string') return 'json';
  return version.evaluation.evaluators.some(({ type }) => evaluatorTraits(type).hasSchema) ? 'maybe_json' : 'text';
}

export function looksLikeJson(text: string, form: OutputForm): boolean {
  return form === 'json' || (form === 'maybe_json' && /^\s*[{[]/.test(text));
}

export interface GivenOutput {
  output: Json;
  /** A text that is not JSON, and may be an attempt at it. */
  unsure?: { text: string; from: string };
}

/**
 * Reads what was given as an output: a file, `-` for the standard input, or JSON.
 * @param isText whether it is a text, whatever it looks like
 * @throws CliError of type `BadOutput` for what is neither a file nor JSON
 */
export async function givenOutput(given: string, isText: boolean): Promise<GivenOutput> {
  const isInput = given === '-';
  const isFile = !isInput && existsSync(given);
  const text = isInput ? await whole(process.stdin) : isFile ? readFileSync(given, 'utf8') : given;
  if (isText) return { output: text };
  const mistake = jsonMistake(text);
  if (mistake === undefined) return { output: exactJson(text, '--output') };
  if (isInput || isFile) return { output: text, unsure: { text, from: isInput ? 'the standard input' : given } };
  throw new CliError(
    'BadOutput',
    `--output is neither a file nor JSON: ${text.slice(0, 80)}\n${mistake}. Nothing was sent.`,
    'Mend the JSON. A text goes into a file, or add --text.',
  );
}

/** @throws CliError of type `BadOutput` for a text that was intended as JSON */
export function assertNoSlip({ unsure }: GivenOutput, form: OutputForm): void {
  const mistake = unsure && looksLikeJson(unsure.text, form) ? jsonMistake(unsure.text) : undefined;
  if (mistake === undefined) return;
  throw new CliError(
    'BadOutput',
    `${unsure!.from} is not JSON, as the versions of this run are to be: ${mistake}. Nothing was sent.`,
    'Mend it, or add --text to send it as a text.',
  );
}
