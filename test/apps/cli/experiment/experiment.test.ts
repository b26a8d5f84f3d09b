import { readFileSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { experiment, type ExperimentOptions } from '../../../../src/apps/cli/experiment/experiment';
import type { JsonObject } from '../../../../src/lib/json/json';
import type { ExperimentReport } from '../../../../src/apps/experiment/rows';
import type { CaseOutcome } from '../../../../src/apps/experiment/outcome';
import { requestsOf } from '../../../../src/apps/testing/scripted-model/ledger';
import type { Script } from '../../../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../../../src/apps/testing/scripted-model/server';
import { type LoopWorld, startWorld } from '../../../../testing/support/loop-world';
import { InProcess } from '../in-process';

const EXAMPLE = 'examples/experiment';
const [CASES, CHECKED, BRIEF] = [`${EXAMPLE}/orders.jsonl`, `${EXAMPLE}/checked.yaml`, `${EXAMPLE}/brief.yaml`];

interface Line {
  id: string;
  message: string;
  reference: JsonObject;
}
const LINES = readFileSync(CASES, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Line);

const usage = { prompt: 100, completion: 20 };
const WRONG = { sku: 'KM-2041', quantity: 0 };

/**
 * A model that knows the orders. Asked briefly, it gives every fourth one. Asked well, every third draft is right, and every
 * revision; at a higher temperature two of three drafts are.
 */
const script: Script = ({ body, last }) => {
  const at = LINES.findIndex(({ message }) => JSON.stringify(body?.messages).includes(message));
  const { reference } = LINES[at]!;
  if (last.includes('Which article'))
    return { reply: at % 4 === 0 ? reference : { sku: 'FL-3300', quantity: 99 }, usage };
  if (last.includes('must be >= 1') || last.includes('"quantity":0')) return { reply: reference, usage };
  const isRight = at % 3 === 0 || (at % 3 === 1 && body?.temperature === 0.8);
  return { reply: isRight ? reference : WRONG, usage };
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

describe('reflect experiment', () => {
  let world: LoopWorld;
  let model: ScriptedOpenAI;
  let commands: InProcess;
  beforeAll(async () => {
    model = await ScriptedOpenAI.start({ script });
    world = await startWorld({ models: [{ name: 'scripted', model: 'scripted-1', baseUrl: model.baseUrl }] });
    commands = new InProcess(world);
  });
  afterAll(async () => {
    commands.close();
    await world.close();
    await model.close();
  });

  const given = (more: Partial<ExperimentOptions> = {}): ExperimentOptions => ({
    variant: [CHECKED, BRIEF],
    baseline: [],
    name: 'experiment',
    concurrency: 6,
    seed: 1,
    ...more,
  });
  const reported = async (more: Partial<ExperimentOptions> = {}, cases = CASES): Promise<ExperimentReport> =>
    JSON.parse(await commands.printed(() => experiment(cases, given({ json: true, ...more })))) as ExperimentReport;

  /** What a case came to, from its runs. */
  async function fromRuns(arm: string, { workflowIds, case: id }: CaseOutcome) {
    const runs = await Promise.all(workflowIds.map((each) => world.client.result(each)));
    const last = runs.find(({ success }) => success) ?? runs[0]!;
    const { reference } = LINES.find((line) => line.id === id)!;
    return {
      passed: last.success,
      right: isDeepStrictEqual(last.finalOutput, reference),
      calls: sum(runs.map(({ tokenUsage }) => tokenUsage.modelCalls)),
      tokens: sum(runs.map(({ tokenUsage }) => tokenUsage.totalTokens)),
      ms: sum(runs.map(({ executionTime }) => executionTime)),
      arm,
    };
  }

  test('every number of the table is that of the raw runs, and a worse loop is called worse', async () => {
    const report = await reported();
    expect(report.arms.map(({ arm }) => arm)).toEqual(['checked', 'brief', 'single', 'best-of-n']);
    for (const row of report.arms) {
      const own = report.outcomes.filter(({ arm }) => arm === row.arm);
      const runs = await Promise.all(own.map((each) => fromRuns(row.arm, each)));
      expect(own.map(({ case: id }) => id)).toEqual(LINES.map(({ id }) => id));
      expect(row).toMatchObject({
        cases: LINES.length,
        failed: 0,
        passed: { count: runs.filter(({ passed }) => passed).length, of: LINES.length },
        right: { count: runs.filter(({ right }) => right).length, of: LINES.length },
        calls: { value: sum(runs.map(({ calls }) => calls)) / LINES.length },
        tokens: { value: sum(runs.map(({ tokens }) => tokens)) / LINES.length },
        usd: null,
      });
      const times = runs.map(({ ms }) => ms).toSorted((one, other) => one - other);
      expect(row.p50Ms).toBeCloseTo((times[5]! + times[6]!) / 2, 6);
    }
    const [checked, brief, single, bestOfN] = report.arms;
    expect([checked, brief, single, bestOfN].map((row) => row!.right!.count)).toEqual([12, 3, 4, 8]);
    expect([checked, brief, single, bestOfN].map((row) => row!.passed.count)).toEqual([12, 12, 4, 8]);
    expect(checked).toMatchObject({ reasons: { quality_met: 12 }, passedAt: { 1: 4, 2: 8 } });
    // As many samples as the loop made calls, or until one passes.
    expect([checked!.calls!.value, bestOfN!.calls!.value]).toEqual([20 / 12, 16 / 12]);
    const said = Object.fromEntries(report.comparisons.map((each) => [`${each.arm}/${each.against}`, each.conclusion]));
    expect(said).toEqual({
      'checked/single': 'better',
      'checked/best-of-n': 'undecided',
      'brief/single': 'no_difference',
      'brief/best-of-n': 'cheaper',
      'brief/checked': 'worse',
    });
    expect(report.conclusions.at(-1)).toMatch(/^brief is worse than checked: right −75 points .*won 0, lost 9/);
    expect(report.cautions).toContainEqual(expect.stringContaining('12 cases are few'));
    const docs = readFileSync('docs/experiments.md', 'utf8').replaceAll(/\s+/g, ' ');
    for (const conclusion of report.conclusions) expect(docs).toContain(conclusion);
    // No loop is shown the reference.
    expect(JSON.stringify(requestsOf(model.ledger))).not.toContain('reference');
  });

  test('given again, it pays for nothing; for one case that changed, it pays for that', async () => {
    const paid = model.ledger.length;
    const html = commands.file('');
    const aside = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const shown = await commands.printed(() => experiment(CASES, given({ html })));
    expect(aside).toHaveBeenCalledWith(expect.stringContaining(html));
    aside.mockRestore();
    const page = readFileSync(html, 'utf8').replaceAll(/\s+/g, ' ');
    for (const told of ['brief is worse than checked', '12/12 (76–100 %)', '1.67', 'Where the arms differ', 'o-'])
      expect(page).toContain(told);
    expect(shown).toMatch(/checked +12\/12 \(76–100 %\) +12\/12 \(76–100 %\) +1\.67 +200/);
    expect(shown).toContain('brief is worse than checked');
    expect(shown).toContain('single: ended by');
    expect(model.ledger).toHaveLength(paid);
    const cases = commands.file('');
    const [first, ...others] = LINES;
    writeFileSync(cases, [{ ...first, note: 'new' }, ...others].map((line) => JSON.stringify(line)).join('\n'));
    await reported({}, cases);
    expect(requestsOf(model.ledger.slice(paid))).toHaveLength(4);
  });

  test('a judge that no loop sees says what is right; its calls are not those of the arms', async () => {
    const judge = commands.file('evaluator: { type: schema, schema: { properties: { quantity: { maximum: 20 } } } }');
    const { arms } = await reported({ variant: [BRIEF], baseline: ['none'], judge });
    expect(arms).toMatchObject([{ arm: 'brief', passed: { count: 12 }, right: { count: 3 }, calls: { value: 1 } }]);
  });

  test('mistakes are told before anything is paid for', async () => {
    const paid = model.ledger.length;
    const refused = (cases: string, more: Partial<ExperimentOptions> = {}) => experiment(cases, given(more));
    const lines = (...all: string[]): string => {
      const file = commands.file('');
      writeFileSync(file, all.join('\n'));
      return file;
    };
    await expect(refused(lines('{"id": 1}', '{"id": 1}'))).rejects.toThrow(/case 2: the id "1" is there twice/);
    await expect(refused(lines('[]'))).rejects.toThrow(/case 1: must be a JSON object/);
    await expect(refused(lines(''))).rejects.toThrow(/holds no case/);
    await expect(refused(lines('{"id": "a"', ''))).rejects.toThrow(/:1 {2}is not JSON/);
    await expect(refused(CASES, { variant: [] })).rejects.toThrow(/There is no spec to try/);
    await expect(refused(CASES, { variant: [CHECKED, CHECKED] })).rejects.toThrow(/Two arms are called "checked"/);
    await expect(refused(CASES, { judge: commands.file('evaluator: { type: nothing }') })).rejects.toThrow(/evaluator/);
    expect(model.ledger).toHaveLength(paid);
  });
});
