import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { ReflectionClient } from '../../src/client';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { eventually } from '../../testing/support/eventually';
import { testAddress } from '../../testing/support/temporal-server';
import { ReflectCommand } from '../apps/cli/reflect-command';

interface Dashboard {
  panels: { title: string; gridPos: { x: number; y: number; w: number; h: number }; targets?: { expr: string }[] }[];
}
interface Rules {
  groups: { rules: { alert: string; expr: string; annotations: { summary: string; description: string } }[] }[];
}

const DASHBOARD = JSON.parse(readFileSync('deploy/grafana/durable-reflection.json', 'utf8')) as Dashboard;
const RULES = (parse(readFileSync('deploy/prometheus-rules.yml', 'utf8')) as Rules).groups.flatMap(
  ({ rules }) => rules,
);
const EXPRESSIONS = [
  ...DASHBOARD.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const)),
  ...RULES.map(({ alert, expr }) => [alert, expr] as const),
];

/** What an expression reads: metrics, and the labels by which it selects them. */
function readIn(expression: string): { name: string; labels: string[] }[] {
  const found = expression.matchAll(/\b((?:reflect|temporal|process|nodejs)_\w+)(?:\{([^}]*)\})?/g);
  return [...found].map(([, name, selected = '']) => ({
    name: name!,
    labels: [...selected.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)]
      .map(([, label]) => label!)
      .filter((label) => label !== 'job'),
  }));
}

describe('the dashboard and the alerts of deploy/', () => {
  let model: ScriptedOpenAI;
  let command: ReflectCommand;
  let served: string;
  beforeAll(async () => {
    model = await ScriptedOpenAI.start({ script: [{ reply: 'first' }, { reply: 'second, done' }] });
    const taskQueue = `dashboard-${randomUUID()}`;
    const args = ['worker', '--address', testAddress(), '--task-queue', taskQueue, '--port', '0'];
    command = new ReflectCommand(args, { env: { OPENAI_BASE_URL: model.baseUrl } });
    await command.says(/Ctrl-C lets/);
    const client = await ReflectionClient.connect({ address: testAddress(), taskQueue });
    const generator = { action: 'llm.call', prompt: 'Write.' } as const;
    await client.run({ generator, evaluator: { type: 'regex', pattern: 'done' } });
    await client.close();
    const url = /(http:\S+)\/healthz/.exec(command.stdout)![1]!;
    // The SDK hands its numbers on a moment later.
    served = await eventually(
      async () => (await fetch(`${url}/metrics`)).text(),
      (text) => text.includes('reflect_loops_total{') && text.includes('temporal_workflow_endtoend_latency_count{'),
    );
  }, 60_000);
  afterAll(async () => {
    command.kill('SIGTERM');
    await command.finished;
    await model.close();
  });

  test('a loop that ended is counted once, by its reason, with its versions', () => {
    expect(served).toMatch(/^reflect_loops_total\{[^}]*reason="quality_met"[^}]*success="true"[^}]*\} 1$/m);
    expect(served).toMatch(/^reflect_loop_versions_bucket\{[^}]*le="1"\} 0$/m);
    expect(served).toMatch(/^reflect_loop_versions_bucket\{[^}]*le="2"\} 1$/m);
  });

  test.each(EXPRESSIONS)('%s reads what a worker serves: %s', (_where, expression) => {
    const reads = readIn(expression);
    expect(reads.length + Number(expression.includes('up{'))).toBeGreaterThan(0);
    for (const { name, labels } of reads) {
      expect(served).toMatch(new RegExp(`^(?:# TYPE )?${name.replace(/_(?:bucket|sum|count)$/, '')}[ {_]`, 'm'));
      const samples = served.split('\n').filter((line) => line.startsWith(`${name}{`));
      for (const label of labels) for (const sample of samples.slice(0, 1)) expect(sample).toContain(`${label}="`);
    }
  });

  test('panels do not overlap, and every alert says what to do', () => {
    const cells = DASHBOARD.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)} ${y + Math.floor(at / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    for (const { annotations } of RULES) expect(annotations.description.length).toBeGreaterThan(20);
  });
});
