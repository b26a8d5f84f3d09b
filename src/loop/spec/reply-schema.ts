import type { JsonObject } from '../../lib/json/json';
import { isJsonObject } from '../../lib/json/json';
import { evaluatorsOf } from './judges';
import { replyFormOf } from './reply-form';
import type { Evaluator } from '../contract/evaluators';
import type { ReflectionSpec } from '../contract/spec';
import type { RevisionMethod } from '../contract/loop-options';
import type { Step } from '../contract/steps';
import { isModelCall } from './steps';

const MOST_CHARACTERS = 16 * 1024;

function schemaToSend(evaluator: Evaluator): JsonObject | undefined {
  if (!('schema' in evaluator) || !isJsonObject(evaluator.schema)) return undefined;
  const { schema } = evaluator;
  return JSON.stringify(schema).length <= MOST_CHARACTERS && replyFormOf(schema) ? schema : undefined;
}

/** The schema is that of the first `schema` evaluator that can be sent. Every output that passes has this form, so none is excluded. */
export function schemaOfOutputs(spec: Pick<ReflectionSpec, 'evaluator'>): JsonObject | undefined {
  for (const evaluator of evaluatorsOf(spec)) {
    const schema = schemaToSend(evaluator);
    if (schema) return schema;
  }
  return undefined;
}

/** Undefined for steps that ask no model, for those that name what they want (`reply`), and if the reply is edits. */
export function schemaFor(
  step: Step,
  schema: JsonObject | undefined,
  strategy?: RevisionMethod,
): JsonObject | undefined {
  if (!isModelCall(step) || step.reply !== undefined || strategy === 'targeted_edit') return undefined;
  return schema;
}
