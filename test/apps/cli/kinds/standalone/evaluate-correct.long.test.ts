import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ScriptedOpenAI } from '../../../../../src/apps/testing/scripted-model/server';
import { type LoopWorld, startWorld } from '../../../../../testing/support/loop-world';
import { reflect } from '../../reflect-command';

const CHECK = `
name: age-check
schema:
  type: object
  required: [age]
  properties: { age: { type: integer } }
data: { age: 41 }
`;

const FIX = `
name: age-fix
prompt: Correct {{ state.reflection_output | tojson }} in {{ state.tone }} because {{ state.reflection_errors | tojson }}
`;

describe('reflect evaluate, reflect correct', () => {
  let world: LoopWorld;
  let scripted: ScriptedOpenAI;
  let folder: string;

  beforeAll(async () => {
    const reply = '{"age": 41}';
    scripted = await ScriptedOpenAI.start({ script: [{ match: 'in plain words because', times: 'always', reply }] });
    world = await startWorld({ models: [{ name: 'scripted', model: 'scripted', baseUrl: scripted.baseUrl }] });
    folder = mkdtempSync(join(tmpdir(), 'reflect-once-'));
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await world.close();
    await scripted.close();
  });

  function file(name: string, text: string): string {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  }
  const command = (args: string[], input = '') =>
    reflect(args, { input, env: { TEMPORAL_ADDRESS: world.address, REFLECT_TASK_QUEUE: world.client.taskQueue } });

  test('evaluate a draft, correct it by what was wrong, evaluate it again', async () => {
    const check = file('check.yaml', CHECK);
    const judged = await command(['evaluate', check, '--data', '{"age": "unknown"}', '--json']);
    expect(judged.code).toBe(2);
    expect(JSON.parse(judged.stdout)).toMatchObject({ outcome: 'fail', issues: [{ path: '/age' }] });
    expect(judged.stderr).toContain('age-check');

    const fix = file('fix.yaml', FIX);
    const errors = file('errors.json', judged.stdout);
    const args = ['correct', fix, '--data', '-', '--errors', errors, '--state', 'tone=plain words', '--json'];
    const corrected = await command(args, '{"age": "unknown"}');
    expect(corrected).toMatchObject({ code: 0 });
    const { output } = JSON.parse(corrected.stdout) as { output: unknown };
    expect(output).toEqual({ age: 41 });

    const again = await command(['evaluate', check, '--data', file('draft.json', JSON.stringify(output))]);
    expect(again.stdout).toMatch(/✓ pass · score 1\.00 · 0 issues/);
    expect(again.code).toBe(0);
  }, 60_000);

  test('people see outcome and issues; the run has the id that was asked for', async () => {
    const workflowId = `once-${randomUUID()}`;
    const { code, stdout } = await command(['evaluate', '-', '--data', '{}', '--workflow-id', workflowId], CHECK);
    expect(stdout).toContain(workflowId);
    expect(stdout).toMatch(/✗ fail · score 0\.00 · 1 issue/);
    expect(stdout).toMatch(/schema +✗ fail +0\.00 +\d+%/);
    expect(stdout).toMatch(/ {2}✗ age: is required|✗ .*age/);
    expect(code).toBe(2);
  }, 30_000);

  test('show knows what the run was and what came of it, when it has ended and when it has failed', async () => {
    const id = (what: string) => `${what}-${randomUUID()}`;
    const [judged, mended, broken] = [id('judged'), id('mended'), id('broken')] as const;
    const { client } = world;
    const age = { type: 'object', required: ['age'] };
    await client.evaluations.run({ evaluator: { type: 'schema', schema: age }, data: {} }, { workflowId: judged });
    const corrector = { action: 'llm.call', prompt: 'Say it in plain words because' };
    const errors = ['age is missing'];
    await client.corrections.run({ corrector, data: {}, errors }, { workflowId: mended });
    const nobody = client.corrections.run(
      { corrector: { action: 'nobody.has' }, data: {}, errors },
      { workflowId: broken },
    );
    await expect(nobody).rejects.toMatchObject({ type: 'UnknownAction' });

    const shown = await Promise.all([
      command(['show', judged]),
      command(['show', mended]),
      command(['show', broken]),
      command(['show', judged, '--json']),
      command(['show', mended, '--output']),
      command(['show', broken, '--output']),
    ]);
    const [evaluation, correction, failure, json, output, none] = shown;
    expect(evaluation.stdout).toMatch(/one evaluation, completed[^]*✗ fail · score 0\.00 · 1 issue[^]*age/);
    expect(correction.stdout).toMatch(/one correction, completed[^]*✓ corrected[^]*"age": 41/);
    expect(failure.stdout).toMatch(/one correction, failed[^]*UnknownAction: [^]*nobody\.has/);
    expect(JSON.parse(json.stdout)).toMatchObject({ type: 'reflectionEvaluate', result: { outcome: 'fail' } });
    expect(JSON.parse(output.stdout)).toEqual({ age: 41 });
    expect(none.stderr).toMatch(/^NoOutput: /);
    expect(shown.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 1]);
    expect((await command(['list', '--help'])).stdout).toContain(
      'list loops, pipelines, plans, batches and populations',
    );
  }, 60_000);

  test('mistakes are told with line and column, also those that only the worker finds', async () => {
    const [form, type, action, both] = await Promise.all([
      command(['evaluate', '-'], 'schema: true\nwhen: now\ndata: 1'),
      command(['evaluate', '-'], 'data: 1\nschema:\n  type: objekt'),
      command(['correct', '-'], 'data: 1\nerrors: [x]\ncorrector_action: nobody'),
      command(['correct', '-', '--data', '-'], FIX),
    ]);
    expect(form.stderr).toContain('(stdin):2:1  when: unknown field');
    expect(type.stderr).toContain('(stdin):3:3  schema.type: ');
    expect(action.stderr).toMatch(/UnknownAction: .*\n\(stdin\):3:1 {2}corrector_action: .*nobody/);
    expect(both.stderr).toContain('standard input is read once');
    expect([form, type, action, both].map(({ code }) => code)).toEqual([1, 1, 1, 1]);
  }, 60_000);
});
