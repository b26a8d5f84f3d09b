import { omitUndefined } from '../../../lib/base/defined';
import { isJsonObject, type Json, type JsonObject } from '../../../lib/json/json';
import { CliError } from '../support/cli-error';
import type { ItemLines } from '../support/item-lines';

/** One line of the cases: what each arm is given, and what only the experiment knows. */
export interface Case {
  id: string;
  state: JsonObject;
  reference?: Json;
}

/** The maximum number of cases of an experiment. `reflect batch` runs tens of thousands. */
const MOST_CASES = 2_000;

/**
 * Reads cases: a line is the state, apart from `id` and `reference`. Default of the id: the number of the case, from 1.
 *
 * @throws CliError `InvalidItems` for a line that is not a case, an id that is there twice, no lines, or too many
 */
export async function readCases(lines: ItemLines): Promise<Case[]> {
  const { file } = lines;
  const cases: Case[] = [];
  const seen = new Set<string>();
  for await (const line of lines.read()) {
    const number = cases.length + 1;
    const refuse = (what: string): never => {
      throw new CliError('InvalidItems', `${file}, case ${number}: ${what}.`, 'Nothing was started.');
    };
    // The type is that of what should stand there.
    if (!isJsonObject(line as unknown)) return refuse('must be a JSON object');
    const { id = String(number), reference, ...state } = line;
    if (typeof id !== 'string' && typeof id !== 'number') return refuse('`id` must be a text or a number');
    if (seen.has(String(id))) return refuse(`the id "${id}" is there twice`);
    seen.add(String(id));
    cases.push(omitUndefined({ id: String(id), state, reference }));
    if (cases.length > MOST_CASES) return refuse(`there may be ${MOST_CASES} cases at most`);
  }
  if (cases.length > 0) return cases;
  throw new CliError('InvalidItems', `${file} holds no case.`, 'Each line is a JSON object: the state of a loop.');
}
