import fc from 'fast-check';
import { z } from 'zod';
import { defineAction } from '../../../src/actions/define-action';
import { createActionRegistry } from '../../../src/actions/registry';
import { unmadeCallMistakes } from '../../../src/activities/prepare/call-mistakes';
import { withFunctions } from '../../../src/activities/prepare/named-actions';
import { problemsOf } from '../../../src/activities/prepare/prepare';
import { createModels } from '../../../src/lib/models';
import { specParts } from '../../../src/loop/parse/spec';

const action = (name: string) => defineAction({ name, description: name, input: z.object({}), run: () => 'x' });
const dependencies = {
  models: createModels([], {}),
  actions: createActionRegistry([action('orders.find'), action('mail.send'), action('agent')]),
  searchAttributes: () => Promise.resolve(true),
};
const asks = { action: 'llm.call', prompt: 'Write.', tools: ['orders.find'] };
const must = (...names: string[]) => ({ type: 'calls', must: names });
const problems = (spec: object, functions: string[] = []) =>
  unmadeCallMistakes(specParts(spec), withFunctions(dependencies, functions));

test.each<[what: string, functions: string[], steps: object]>([
  ['a tool of the generator', [], { generator: asks }],
  ['a tool of the corrector', [], { generator: { action: 'agent' }, corrector: asks }],
  ['a step that is the action', [], { generator: { action: 'orders.find' } }],
  ['a workflow, which may report the call', [], { generator: { workflow: 'findOrders' } }],
  ['a function, which may report the call', ['agent'], { generator: { action: 'agent' } }],
  ['no generator yet', [], {}],
])('a rule about a call is taken where there is %s', (_what, functions, steps) => {
  expect(problems({ ...steps, evaluator: must('orders.find') }, functions)).toEqual([]);
});

test.each<[what: string, steps: object, message: RegExp]>([
  [
    'other tools',
    { generator: { ...asks, tools: ['mail.send'] } },
    /^names the call "orders\.find", .*; the steps have mail\.send$/,
  ],
  ['no tools', { generator: { ...asks, tools: [] } }, /; no step has tools$/],
  ['another action', { generator: { action: 'agent' } }, /the steps have agent$/],
  ['inline code', { generator: { run: 'return 1', language: 'javascript' } }, /the steps have javascript$/],
  ['a tool of a similar name', { generator: { ...asks, tools: ['orders.fnd'] } }, /did you mean orders\.fnd\?/],
  [
    'a tool of a server',
    { generator: { ...asks, tools: ['mcp.shop.orders.find'] } },
    /did you mean mcp\.shop\.orders\.find\?/,
  ],
])('a rule about a call is refused where the steps have only %s', (_what, steps, message) => {
  const found = problems({ ...steps, evaluator: [{ type: 'llm' }, must('orders.find')] });
  expect(found).toEqual([{ path: '/evaluator/1/must/0', message: expect.stringMatching(message) }]);
});

test('a trigger on a tool that no step has is refused with the nearest name', async () => {
  const spec = { generator: asks, evaluator: { type: 'llm' }, triggers: { reflectOnTools: ['orders.fin'] } };
  expect(await problemsOf(specParts(spec), dependencies)).toContainEqual({
    path: '/triggers/reflectOnTools/0',
    message: '"orders.fin" is no tool of the generator or corrector (did you mean orders.find?)',
  });
});

test('every rule that names a call is refused exactly if no step can make the call', () => {
  const name = fc.constantFrom('orders.find', 'mail.send', 'orders.fin', 'x');
  const names = fc.uniqueArray(name, { maxLength: 3 });
  const rules = fc.record({ must: names, mustNot: names, order: names, after: names, atMost: names });
  fc.assert(
    fc.property(names, rules, (tools, { after, atMost, ...lists }) => {
      const counts = Object.fromEntries(atMost.map((each) => [each, 1]));
      const evaluator = { type: 'calls', ...lists, after: { calls: after }, atMost: counts };
      const parts = {
        generator: { ...asks, tools } as never,
        evaluators: [{ path: '/evaluator', evaluator: evaluator as never }],
      };
      const all = [...lists.must, ...lists.mustNot, ...lists.order, ...after, ...atMost];
      const said: string[] = unmadeCallMistakes(parts, dependencies).map(
        ({ message }) => /^names the call "([^"]+)"/.exec(message)![1]!,
      );
      expect(said.toSorted()).toEqual(all.filter((each) => !tools.includes(each)).toSorted());
    }),
  );
});
