// @ts-check
/** `npm test` runs the loop on a real Temporal server and worker. The model's answers are written below. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { loadSpec } from 'durable-reflection';
import { ReflectionTestEnvironment } from 'durable-reflection/testing';

/** @type {ReflectionTestEnvironment} */
let env;
before(async () => {
  env = await ReflectionTestEnvironment.create();
});
after(() => env?.teardown());

test('a phone number in the wrong form is sent back, and corrected', async () => {
  const card = { name: 'Robin', email: 'robin@example.com', phone: '555-0142' };
  const result = await env.run(await loadSpec('loop.yaml'), {
    script: [{ reply: { ...card, phone: '555 0142' } }, { reply: card }],
  });
  assert.equal(result.convergenceReason, 'quality_met');
  assert.equal(result.iterationsUsed, 2);
  assert.deepEqual(result.finalOutput, card);
  assert.match(env.prompts()[1] ?? '', /phone/);
});
