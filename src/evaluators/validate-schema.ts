import { z } from 'zod';
import { ActionFailed } from '../actions/action-failed';
import { defineAction } from '../actions/define-action';
import { createActionRegistry } from '../actions/registry';
import type { Action } from '../actions/types';
import { combineVerdicts } from '../loop/evaluation/combine';
import { toEvaluationState } from '../loop/step-state/reflection-state';
import { isJson, type Json, type JsonObject } from '../lib/json/json';
import type { SchemaEvaluator } from '../loop/contract/evaluators';
import { createModels } from '../lib/models';
import type { SchemaFolder } from './schema/references/schema-file';
import { schemaEvaluator } from './schema/schema';

const NAME = 'validate.schema';

const json = z.custom<Json>((value) => isJson(value), 'must be JSON');
const jsonSchema = z.union([z.boolean(), z.record(z.string(), json)]) as unknown as z.ZodType<JsonObject | boolean>;

/** `{ data, schema, coerce? }` gives `{ valid, score, errors, suggestions, reason, outcome }`. */
export function validateSchemaAction(schemaFolder?: SchemaFolder): Action {
  const offered = {
    models: createModels([], {}),
    actions: createActionRegistry([]),
    schemaFolder,
  };
  return defineAction({
    name: NAME,
    description: 'Checks data by a JSON Schema and says what is wrong with it.',
    input: z.strictObject({ data: json, schema: jsonSchema, coerce: z.boolean().optional() }),
    async run({ data, schema, coerce = true }, { signal, state, iteration, workflowId }) {
      const config: SchemaEvaluator = { type: 'schema', schema, coerce };
      const problems = await schemaEvaluator.problems(config, offered);
      if (problems.length > 0) {
        throw new ActionFailed(NAME, 'input', problems.map(({ path, message }) => `${path}: ${message}`).join('; '));
      }
      const input = { output: data, state, qualityThreshold: 1, iteration, workflowId, structured: true, timeoutMs: 0 };
      const judgement = await schemaEvaluator.evaluate(config, input, { ...offered, signal });
      const verdict = { ...judgement, name: config.type, type: config.type, ms: 0 };
      return toEvaluationState(combineVerdicts([verdict], () => 1)) as unknown as Json;
    },
  });
}
