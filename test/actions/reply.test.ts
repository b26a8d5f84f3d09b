import { createActionRegistry } from '../../src/actions/registry';
import { runBuiltInRevision } from '../../src/actions/revision/revise';
import { runStep } from '../../src/actions/step';
import { defineAction } from '../../src/actions/define-action';
import type { Revision, StepArguments } from '../../src/actions/types';
import type { Json, JsonObject } from '../../src/lib/json/json';
import type { ModelCallStep } from '../../src/loop/contract/steps';
import type { ModelConfig } from '../../src/lib/models/types';
import { z } from 'zod';
import { type ScriptedWorld, withScript } from '../evaluators/scripted-judge';

type Body = ReturnType<ScriptedWorld['bodies']>[number];

const closed = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const ORDER = closed({ id: { type: 'integer' } });
const LIST = { type: 'array', items: ORDER };
const lookUp = defineAction({
  name: 'look_up',
  description: 'Looks an order up.',
  input: z.object({ id: z.number() }),
  run: () => 'found',
});

interface Given {
  step?: Partial<ModelCallStep>;
  input?: Partial<StepArguments>;
  reply?: string | object;
  config?: Partial<ModelConfig>;
  revision?: Revision;
}

async function called({
  step,
  input,
  reply = 'the reply',
  config,
  revision,
}: Given): Promise<{ output: Json; body: Body }> {
  return withScript(
    [reply],
    async (world) => {
      const given = { state: {}, iteration: 1, workflowId: 'w', timeoutMs: 5_000, ...input };
      const context = { models: world.models, actions: createActionRegistry([lookUp]), signal: world.signal };
      const call = { action: 'llm.call' as const, prompt: 'Extract it.', ...step };
      const { output } = revision
        ? await runBuiltInRevision(call, given, revision, context)
        : await runStep(call, given, context);
      return { output, body: world.bodies()[0]! };
    },
    config,
  );
}

const format = (schema: object, strict = true): object => ({
  type: 'json_schema',
  json_schema: { name: 'output', schema, strict },
});
const IN_WORDS = /^Reply with JSON that matches this JSON Schema, /m;
const revision = (strategy?: Revision['strategy'], more: Partial<Revision> = {}): Revision => ({
  output: { id: 'x' },
  issues: [],
  suggestions: [],
  ...(strategy && { strategy }),
  ...more,
});

describe('the form of a reply', () => {
  test.each<[string, Given, { format?: object; words: boolean }]>([
    ['no schema', {}, { words: false }],
    ['the schema of the loop', { input: { outputSchema: ORDER } }, { format: format(ORDER), words: false }],
    [
      'an optional property: not strict',
      { input: { outputSchema: { ...ORDER, required: [] } } },
      { format: format({ ...ORDER, required: [] }, false), words: false },
    ],
    ['a list', { input: { outputSchema: LIST } }, { format: format(closed({ value: LIST })), words: false }],
    ['its own', { step: { reply: ORDER }, input: { outputSchema: LIST } }, { format: format(ORDER), words: false }],
    ['none by its own wish', { step: { reply: false }, input: { outputSchema: ORDER } }, { words: false }],
    ['no structured output', { input: { outputSchema: ORDER }, config: { structuredOutput: false } }, { words: true }],
    [
      'tools: in words, because replies before the last are calls',
      { step: { tools: ['look_up'] }, input: { outputSchema: ORDER } },
      { words: true },
    ],
    [
      'tools that may not be called any more',
      { step: { tools: ['look_up'] }, input: { outputSchema: ORDER, withoutTools: true } },
      { format: format(ORDER), words: true },
    ],
    [
      'a rewrite',
      { input: { outputSchema: ORDER }, revision: revision('full_rewrite') },
      { format: format(ORDER), words: false },
    ],
    [
      'a rewrite by a step with a form of its own',
      { step: { reply: ORDER }, revision: revision('incremental') },
      { format: format(ORDER), words: false },
    ],
    ['edits', { step: { reply: ORDER }, revision: revision('targeted_edit') }, { words: false }],
    [
      'edits, in words',
      { step: { reply: ORDER }, revision: revision('targeted_edit'), config: { structuredOutput: false } },
      { words: false },
    ],
    ['advice', { step: { reply: ORDER }, revision: revision(undefined, { advice: true }) }, { words: false }],
  ])('is asked for: %s', async (_case, given, { format: wanted, words }) => {
    const { body } = await called(given);
    expect(body.response_format).toEqual(wanted);
    expect(IN_WORDS.test(body.messages.at(-1)!.content)).toBe(words);
    expect(body.messages.filter(({ content }) => IN_WORDS.test(content))).toHaveLength(words ? 1 : 0);
  });

  test.each<[string, Given, Json]>([
    ['JSON for a form of its own is a value', { step: { reply: ORDER }, reply: '{"id": 7}' }, { id: 7 }],
    ['in a code fence, too', { step: { reply: ORDER }, reply: '```json\n{"id": 7}\n```' }, { id: 7 }],
    ['a list without the wrapper', { step: { reply: LIST }, reply: '{"value": [{"id": 7}]}' }, [{ id: 7 }]],
    ['a list that was written without one', { step: { reply: LIST }, reply: '[{"id": 7}]' }, [{ id: 7 }]],
    ['what is no JSON stays a text', { step: { reply: ORDER }, reply: 'I cannot.' }, 'I cannot.'],
    [
      'what was cut off stays a text',
      { step: { reply: ORDER }, reply: { reply: '{"id": 7}', finishReason: 'length' } },
      '{"id": 7}',
    ],
    ['a loop reads its outputs itself', { input: { outputSchema: ORDER }, reply: '{"id": 7}' }, '{"id": 7}'],
    ['but for the wrapper', { input: { outputSchema: LIST }, reply: '{"value": [{"id": 7}]}' }, '[{"id":7}]'],
    ['a choice is a word', { input: { outputSchema: { enum: ['yes', 'no'] } }, reply: '{"value": "yes"}' }, 'yes'],
  ])('%s', async (_case, given, wanted) => {
    expect((await called(given)).output).toEqual(wanted);
  });
});
