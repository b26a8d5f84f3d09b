import { coversOutput } from '../../../src/evaluators/calls/call-output';
import type { JsonObject } from '../../../src/lib/json/json';
import { called } from './call-rows';

/** A place that is too long for a digest. */
const far = 'k'.repeat(250);
const files: JsonObject = { [far]: 'x'.repeat(5_000) };

test.each([
  ['a text without a digest', called('tests.run', files), `/${far}`],
  ['arguments that are a text', called('tests.run', `{"code": ${'x'.repeat(9_000)}`, 'ok', { digests: {} }), ''],
  ['an object with a text without a digest', called('tests.run', { files }), '/files'],
])('an output that poses as what is kept of the arguments is not covered: %s', (_what, record, pointer) => {
  const kept = pointer
    .split('/')
    .slice(1)
    .reduce((value, key) => (value as JsonObject)[key]!, record.arguments!);
  expect(JSON.stringify(kept)).toContain('[left out: ');
  expect(coversOutput(record, pointer, kept)).not.toBe(true);
});

test.each([
  ['\ud83d', '\ud83e'],
  ['\ud83d', '\ufffd'],
  ['\udc00', '\udc01'],
  ['\ud83d\ude00', '\ud83d'],
])('a long text that ends in %j is not one that ends in %j, and is itself', (end, other) => {
  const text = 'x'.repeat(9_000);
  const record = called('tests.run', { code: text + end });
  expect(record.digests).toBeDefined();
  expect(coversOutput(record, '/code', text + other)).toBe(false);
  expect(coversOutput(record, '/code', text + end)).toBe(true);
});
