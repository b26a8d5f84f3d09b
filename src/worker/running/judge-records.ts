import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { userCacheDirectory } from '../../lib/user-cache';
import { isJsonObject, type Json } from '../../lib/json/json';
import { VENDOR } from '../../lib/models/circuits/circuits';
import { configOf, type ServedModels } from '../../lib/models/model-names';
import { shownUrl } from '../../lib/text/secrets';

/** The name of the outputs with a known verdict by which `reflect doctor --judge` tries a judge. Other outputs get another name. */
export const JUDGE_CHECK = 'judges@1';

/** Right verdicts of 12 from which a judge is reliable: one that guesses has as many in 2 of 100 trials. */
export const RELIABLE = 10;

export interface JudgeModel {
  /** The address of its endpoint, without secrets. */
  endpoint: string;
  /** The provider's name of the model. */
  model: string;
}

export interface JudgeRecord {
  /** When it was tried, ISO 8601. */
  at: string;
  /** Verdicts that were right, of how many. */
  right: number;
  of: number;
  /** Wrong outputs that passed, and right ones that failed. */
  falsePasses: number;
  falseFails: number;
  /** Outputs that it could not judge. */
  unjudged: number;
}

export function judgeModel(
  served: ServedModels,
  name: string | undefined,
  env: NodeJS.ProcessEnv,
): JudgeModel | undefined {
  const config = configOf(served, name);
  if (!config || config.custom) return undefined;
  const address = (config.baseUrl ?? env['OPENAI_BASE_URL']) || VENDOR;
  return { endpoint: shownUrl(address).replace(/\/$/, ''), model: config.model };
}

export function judgeRecordsFile(env: NodeJS.ProcessEnv): string {
  return join(userCacheDirectory(env), 'judges.json');
}

const keyOf = ({ endpoint, model }: JudgeModel): string => `${JUDGE_CHECK} ${endpoint} ${model}`;

async function readRecords(file: string): Promise<Record<string, JudgeRecord>> {
  try {
    const value = JSON.parse(await readFile(file, 'utf8')) as Json;
    return isJsonObject(value) ? (value as unknown as Record<string, JudgeRecord>) : {};
  } catch {
    return {};
  }
}

export async function readJudgeRecord(model: JudgeModel, env: NodeJS.ProcessEnv): Promise<JudgeRecord | undefined> {
  const records = await readRecords(judgeRecordsFile(env));
  const record = Object.hasOwn(records, keyOf(model)) ? records[keyOf(model)] : undefined;
  return typeof record?.right === 'number' && typeof record.of === 'number' ? record : undefined;
}

/** Keeps the record of a model as a judge, in place of an earlier one. Throws Error of the file system. */
export async function keepJudgeRecord(model: JudgeModel, record: JudgeRecord, env: NodeJS.ProcessEnv): Promise<void> {
  const file = judgeRecordsFile(env);
  await mkdir(dirname(file), { recursive: true });
  const records = { ...(await readRecords(file)), [keyOf(model)]: record };
  const written = `${file}.${process.pid}`;
  await writeFile(written, JSON.stringify(records, null, 2));
  await rename(written, file);
}

const ADVICE = '`npx reflect doctor --judge` asks it about 12 outputs whose verdict is known.';

/**
 * Makes a function that is called with each model that judges, and warns once of a model that was never tried as a judge by
 * this user, or was found to be unreliable. It makes no call.
 */
export function judgeWarnings(
  { served, env }: { served: ServedModels; env: NodeJS.ProcessEnv },
  warn: (message: string, fields: JudgeModel) => void,
): (name: string | undefined) => void {
  const seen = new Set<string>();
  const warnUnlessReliable = async (model: JudgeModel): Promise<void> => {
    const record = await readJudgeRecord(model, env);
    if (!record) return warn(`the model ${model.model} judges, and was never tried as a judge: ${ADVICE}`, model);
    if (record.right >= RELIABLE) return undefined;
    const found = `its verdicts were right for ${record.right} of ${record.of} outputs whose verdict is known`;
    return warn(`the model ${model.model} judges, and ${found}: use another model as judge`, model);
  };
  return (name) => {
    const model = judgeModel(served, name, env);
    if (!model || seen.has(keyOf(model))) return;
    seen.add(keyOf(model));
    void warnUnlessReliable(model);
  };
}
