import { isJsonObject, type Json } from '../../lib/json/json';
import { isJudge } from './evaluator-traits';
import type { Attachment, AttachmentReference } from '../../lib/contract/attachments';
import type { Corrector } from '../contract/steps';
import type { Evaluator } from '../contract/evaluators';
import type { ReflectionSpec } from '../contract/spec';
import { isModelCall } from './steps';

/** The maximum number of characters of all `data:` URLs of a spec: they are in the history with each call that reads them. */
export const MOST_INLINE_CHARACTERS = 256 * 1024;

export function attachmentTemplates(attachments: readonly Attachment[] = []): string[] {
  return attachments
    .map((each) => ('image' in each ? each.image : each.file))
    .filter((source) => typeof source === 'string');
}

const REFERENCE = {
  sha256: /^[0-9a-f]{64}$/,
  stored: /^[0-9a-f]{64}:\d{1,12}$/,
  mediaType: /^[\w.+-]+\/[\w.+-]+$/,
};

/** Whether a value is a reference to an attachment: the values of a state may come from anywhere. */
export function isAttachmentReference(value: unknown): value is AttachmentReference {
  if (!isJsonObject(value)) return false;
  const { bytes, name = '' } = value;
  const isRight = (key: keyof typeof REFERENCE): boolean =>
    typeof value[key] === 'string' && REFERENCE[key].test(value[key]);
  return (
    isRight('sha256') &&
    isRight('stored') &&
    isRight('mediaType') &&
    Number.isInteger(bytes) &&
    Number(bytes) >= 0 &&
    typeof name === 'string'
  );
}

export function referencesIn(
  value: Json | undefined,
  path: readonly (string | number)[] = [],
): { value: Json; path: readonly (string | number)[] }[] {
  if (typeof value !== 'object' || value === null) return [];
  if (isJsonObject(value) && 'sha256' in value && 'stored' in value) return [{ value, path }];
  const entries = Array.isArray(value) ? value.map((each, index) => [index, each] as const) : Object.entries(value);
  return entries.flatMap(([key, each]) => referencesIn(each, [...path, key]));
}

function ofGenerator({ generator }: Pick<ReflectionSpec, 'generator'>): Attachment[] | undefined {
  const given = isModelCall(generator) ? generator.attachments : undefined;
  return given?.length ? given : undefined;
}

/** The corrector, with the generator's attachments if it has none of its own. */
export function seeingCorrector(spec: Pick<ReflectionSpec, 'generator' | 'corrector'>): Corrector | undefined {
  const { corrector } = spec;
  const attachments = ofGenerator(spec);
  if (!attachments || !corrector || !isModelCall(corrector) || corrector.attachments) return corrector;
  return { ...corrector, attachments };
}

export function seeingEvaluator(evaluator: Evaluator, spec: Pick<ReflectionSpec, 'generator' | 'judge'>): Evaluator {
  const attachments = ofGenerator(spec);
  const isOwn = 'attachments' in evaluator && evaluator.attachments !== undefined;
  if (!attachments || isOwn || spec.judge?.showInputs === false || !isJudge(evaluator)) return evaluator;
  return { ...evaluator, attachments } as Evaluator;
}
