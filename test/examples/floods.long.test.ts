import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { floodReport } from '../../examples/flood/report';
import type { FloodResult, FloodYear } from '../../examples/flood/workflow';
import { changePolicies, decide, newWorld, weather } from '../../examples/flood/world';
import { SHARES_BUNDLES } from '../../testing/support/child-environment';
import { eventually } from '../../testing/support/eventually';
import { killHard } from '../../testing/support/processes';
import { testAddress } from '../../testing/support/temporal-server';

/** Whoever reflected, in an order of its own: a population asks in the order of its agents. */
const inOrder = (ids: readonly (string | undefined)[] = []): unknown[] =>
  ids.toSorted((one, other) => (one! < other! ? -1 : 1));

const ROOT = join(__dirname, '..', '..');

describe('the rules of the flood simulation', () => {
  test('the same seed gives the same years, and another seed others', () => {
    const years = (seed: number) => {
      const world = newWorld(seed, 20, true);
      return Array.from({ length: 12 }, () => {
        const flood = weather(world);
        return { flood, decisions: decide(world), policies: changePolicies(world, flood, []) };
      });
    };
    expect(years(1)).toEqual(years(1));
    expect(years(1)).not.toEqual(years(2));
  });

  test('who has moved away decides nothing more and is hit by no flood', () => {
    const world = newWorld(3, 30, true);
    const gone = new Set<string>();
    for (let year = 1; year <= 30; year += 1) {
      const flood = weather(world);
      expect(flood?.affected.filter((id) => gone.has(id)) ?? []).toEqual([]);
      for (const { agentId, decision } of decide(world)) {
        expect(gone.has(agentId)).toBe(false);
        if (decision === 'relocate' || decision === 'buyout_program') gone.add(agentId);
      }
    }
    expect(gone.size).toBeGreaterThan(0);
  });
});

describe('the flood examples as commands', () => {
  let folder: string;
  let connection: Connection;
  let client: Client;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reflect-flood-'));
    connection = await Connection.connect({ address: testAddress() });
    client = new Client({ connection });
  });
  afterAll(async () => {
    await connection.close();
    await rm(folder, { recursive: true });
  });

  interface Command {
    child: ChildProcess;
    output(): string;
    /** What it wrote, once it has ended well. */
    ended(): Promise<{ result: FloodResult; page: string }>;
  }

  function run(example: string, id: string, ...more: string[]): Command {
    const files = { json: join(folder, `${id}.json`), report: join(folder, `${id}.html`) };
    const options = ['--id', id, '--json', files.json, '--report', files.report, '--years', '10', '--households', '8'];
    const args = ['--import', 'tsx', join('examples', example, 'main.ts'), ...options, ...more];
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      env: { ...process.env, ...SHARES_BUNDLES, TEMPORAL_ADDRESS: testAddress() },
    });
    let output = '';
    child.stdout.on('data', (piece) => (output += String(piece)));
    child.stderr.on('data', (piece) => (output += String(piece)));
    const closed = once(child, 'close');
    return {
      child,
      output: () => output,
      async ended() {
        const [code] = await closed;
        if (code !== 0) throw new Error(`${example} ended with ${code}: ${output}`);
        const [json, page] = await Promise.all([readFile(files.json, 'utf8'), readFile(files.report, 'utf8')]);
        return { result: JSON.parse(json) as FloodResult, page };
      },
    };
  }

  const years = async (id: string): Promise<FloodYear[]> =>
    client.workflow
      .getHandle(id)
      .query<FloodYear[]>('years')
      .catch(() => []);

  async function activitiesOf(id: string): Promise<number> {
    const { events } = await client.workflow.getHandle(id).fetchHistory();
    return events!.filter((event) => event.activityTaskScheduledEventAttributes).length;
  }

  /** Every event made those reflect whom it should, and nobody else. */
  function expectRules({ years: lived, agents, report }: FloodResult, decisionTypes: string[]): void {
    const institutions = agents.filter(({ type }) => !type.startsWith('household')).map(({ id }) => id);
    for (const { year, flood, decisions, told } of lived) {
      expect(told.filter(({ kind }) => kind === 'crisis').length).toBe(flood ? 1 : 0);
      expect(told.filter(({ kind }) => kind === 'decision').length).toBe(decisions.length);
      for (const { kind, agentId, context = {}, reflected } of told) {
        const change = Math.abs(context.policyChangeMagnitude ?? 0);
        const expected = {
          crisis: [...(flood?.affected ?? []), ...institutions],
          periodic: year % 5 === 0 ? context.agents : [],
          decision: decisionTypes.includes(context.decision!) ? [agentId] : [],
          institutional: change > 0.05 ? institutions : [],
        }[kind];
        expect({ year, kind, reflected: inOrder(reflected) }).toEqual({
          year,
          kind,
          reflected: inOrder(expected),
        });
      }
    }
    const told = lived.flatMap((one) => one.told);
    expect(report.reflections.map(({ year, kind, agentId }) => `${year} ${kind} ${agentId}`)).toEqual(
      told.flatMap(({ year, kind, reflected }) => reflected.map((agentId) => `${year} ${kind} ${agentId}`)),
    );
    expect(report.counts.events).toBe(told.length);
    // There was something to tell apart.
    expect(told.some(({ kind, reflected }) => kind === 'decision' && reflected.length === 0)).toBe(true);
  }

  function expectPage(page: string, { report }: FloodResult): void {
    expect(page).toMatch(/^<!doctype html>/);
    expect(page).not.toMatch(/<script|<link|<img|src=|https?:|url\(/);
    expect(page.match(/Year \d+<\/th>/g)!.length).toBe(10);
    expect(page.match(/<td class="say">/g)!.length).toBe(report.reflections.length);
  }

  test('killed in year 7, a flood goes on in year 7: events, reflections and decisions are those of a flood that was not', async () => {
    const [killed, whole, governed] = [randomUUID(), randomUUID(), randomUUID()];
    // Long enough that the year is not over before the second process is there.
    const pause = ['--pause', '25000', '--pause-year', '7'];
    const first = run('multi-agent-flood', killed, ...pause);
    const households = run('governed-flood', governed);
    const inYear7 = await eventually(
      () => years(killed),
      (lived) => lived.length >= 7,
      60_000,
    );
    await killHard(first.child);
    expect(inYear7.length).toBe(7);
    const second = run('multi-agent-flood', killed, ...pause);
    const undisturbed = run('multi-agent-flood', whole);

    const [again, straight, alone] = await Promise.all([second.ended(), undisturbed.ended(), households.ended()]);
    expect(second.output()).toContain(`${killed} goes on in year 7.`);
    expect(again.result).toEqual(straight.result);
    // Nothing of the years before was done again.
    expect(await activitiesOf(killed)).toBe(await activitiesOf(whole));

    expectRules(straight.result, ['elevate_house', 'buyout_program', 'relocate']);
    const { byKind } = straight.result.report.counts;
    expect(Object.keys(byKind).sort()).toEqual(['crisis', 'decision', 'institutional', 'periodic']);
    expectPage(straight.page, straight.result);

    expectRules(alone.result, ['elevate_house', 'relocate']);
    expect(Object.keys(alone.result.report.counts.byKind).sort()).toEqual(['crisis', 'decision', 'periodic']);
    expect(alone.result.agents.every(({ type }) => type.startsWith('household_'))).toBe(true);
    expect(alone.result.report.reflections.every(({ importance }) => importance >= 0.9)).toBe(true);
    expect(alone.result.report.tokenUsage.modelCalls).toBe(0);
    expectPage(alone.page, alone.result);

    // A page says what agents said, and does nothing that they say.
    const [reflection] = alone.result.report.reflections;
    const insight = `<img src=x onerror="alert('1')">`;
    const hostile = floodReport({
      ...alone.result,
      name: '<b>',
      report: { ...alone.result.report, reflections: [{ ...reflection!, insight }] },
    });
    expect(hostile).not.toMatch(/<img|<b>&|<title><b>/);
    expect(hostile).toContain('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;');
  }, 150_000);
});
