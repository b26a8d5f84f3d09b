import type { AgentReflectionSpec } from '../../../../src/kinds/agents/contract/agents';
import {
  initialPopulation,
  isRepeatedEvent,
  populationReport,
  reflectionsPage,
  recordEvent,
  explainRefusal,
} from '../../../../src/kinds/agents/state/population-state';
import { live, mostPopulation, population } from '../../../../testing/support/populations';
import {
  canHandOverPopulation,
  carriedPopulation,
  countCarriedBytes,
  MOST_CARRIED_BYTES,
} from '../../../../src/kinds/agents/state/population-hand-over';
import { parseAgentReflection, populationSettings } from '../../../../src/kinds/agents/parse/agents';

describe('the state of a population', () => {
  test('an id counts once, and what is told at the end is bounded', () => {
    const state = initialPopulation();
    const people = population();
    for (let year = 1; year <= 3_000; year += 1) {
      live(state, people, { id: `e${year}`, kind: 'crisis', year }, 'x'.repeat(1_000));
    }
    expect(isRepeatedEvent(state, { id: 'e3000' })).toBe(true);
    expect(isRepeatedEvent(state, { id: 'other' })).toBe(false);
    const carried = carriedPopulation(state);
    expect(JSON.stringify(carried).length).toBeLessThan(600_000);
    const report = populationReport(state, 4);
    expect(JSON.stringify(report).length).toBeLessThan(1_500_000);
    expect(report).toMatchObject({
      agents: 4,
      counts: { events: 3_000, reflections: 12_000, byKind: { crisis: 12_000 } },
    });
    expect(report.omitted.reflections + report.reflections.length).toBe(12_000);
    expect(report.reflections.at(-1)).toMatchObject({ number: 12_000, agentId: 'insurer', year: 3_000 });
  });

  test('insights of five thousand agents fit into what a run hands over', () => {
    const many = Array.from({ length: 5_000 }, (_, index) => ({ id: `household_number_${index}`, type: 'household' }));
    const people = { ...population(), agents: many };
    const state = initialPopulation();
    for (const year of [1, 2, 3]) live(state, people, { kind: 'crisis', year }, 'y'.repeat(900));
    expect(JSON.stringify(carriedPopulation(state)).length).toBeLessThan(1_200_000);
  });

  test('what is handed over, told and reported is counted in bytes: a payload is, whatever the script', () => {
    const many = Array.from({ length: 5_000 }, (_, index) => ({
      id: `household_number_${index}`,
      type: 'household',
      attributes: { about: 'a'.repeat(100) },
    }));
    const people = { ...population(), agents: many };
    const state = initialPopulation();
    for (const year of [1, 2, 3]) {
      live(state, people, { kind: 'crisis', year, context: { description: '水'.repeat(900) } }, '洪'.repeat(900));
    }
    const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
    const carried = carriedPopulation(state, many);
    expect(bytes([many, carried])).toBeLessThan(2_000_000);
    // The latest are kept, as far as they fit.
    expect(carried.insights['household_number_4999']).toEqual([expect.objectContaining({ year: 3 })]);
    expect(bytes(populationReport(state, 5_000))).toBeLessThan(1_500_000);
    expect(bytes(reflectionsPage(state))).toBeLessThan(1_500_000);
    // Few agents remember much, and it is bounded, too.
    const few = initialPopulation();
    for (let year = 1; year <= 30; year += 1) live(few, population(), { kind: 'crisis', year }, '"洪"'.repeat(400));
    expect(few.insights['town']!.length).toBe(20);
    expect(few.insights['town']!.at(-1)!.text.length).toBe(300);
    const other = {
      ...population(),
      agents: Array.from({ length: 66 }, (_, index) => ({ id: `${index}`, type: 'a' })),
    };
    const filled = initialPopulation();
    for (let year = 1; year <= 20; year += 1) live(filled, other, { kind: 'crisis', year }, '洪'.repeat(400));
    expect(bytes(filled.insights)).toBeLessThan(500_000);
  });

  test('at all maxima together it fits into what a run hands over, and a spec that could not is refused', () => {
    const spec = mostPopulation();
    expect(countCarriedBytes(spec)).toBeLessThanOrEqual(MOST_CARRIED_BYTES);
    expect(countCarriedBytes(spec)).toBeGreaterThan(MOST_CARRIED_BYTES * 0.95);
    const parsed = parseAgentReflection(spec) as { spec: AgentReflectionSpec };
    const preparation = { settings: { ...populationSettings(parsed.spec), memory: false } };
    const people = { agents: spec.agents, settings: preparation.settings };
    const state = initialPopulation();
    const ids = spec.agents.map(({ id }) => id);
    for (let year = 1; year <= 60; year += 1) {
      // Nobody reflects upon so little, so its weight is kept.
      const context = { description: '洪'.repeat(900), agents: ids.slice(year, year + 100), importance: 0.0123456789 };
      live(state, people, { kind: 'institutional', year, context }, '洪'.repeat(900));
    }
    for (const year of [1, 2]) live(state, people, { kind: 'crisis', year }, '洪'.repeat(900));
    for (const id of ids) state.importance[id] = 0.012345678901234567;
    for (let index = 0; index < 2_000; index += 1) {
      state.seenIds.push(`${index}${'水'.repeat(90)}`);
      const event = { id: `e${index}`, kind: 'crisis', year: 1, context: { description: '洪'.repeat(80) } };
      if (explainRefusal(state) === undefined) recordEvent(state, event);
    }
    recordEvent(state, { kind: 'crisis', year: 1, context: { more: '洪'.repeat(65_000) } });
    expect(canHandOverPopulation(spec, preparation, state)).toBe(true);
    const carried = carriedPopulation(state, { spec, preparation });
    expect(Buffer.byteLength(JSON.stringify([spec, { state: carried, preparation }]))).toBeLessThan(2_000_000);
    expect(carried.waiting.length).toBe(state.waiting.length);
    expect(carried.seenIds.at(-1)).toBe(state.seenIds.at(-1));

    expect(parseAgentReflection(mostPopulation(35))).toEqual({
      problems: [{ path: '', message: expect.stringMatching(/would hand \d+ bytes of its spec to the next; at most/) }],
    });
  });

  test('a page ends where it is full, and says how to go on; earlier runs tell of theirs', () => {
    const state = initialPopulation();
    for (let year = 1; year <= 600; year += 1) live(state, population(), { kind: 'crisis', year }, 'z'.repeat(900));
    const first = reflectionsPage(state);
    expect(first.next).toBeGreaterThan(500);
    expect(reflectionsPage(state, { from: first.next! }).reflections[0]!.number).toBe(first.next);
    expect(reflectionsPage(state, { agentId: 'town' }).reflections.length).toBe(600);
    expect(reflectionsPage(carriedPopulation(state)).reflections).toEqual([]);
  });

  test('events that cannot be dealt with fast enough are refused some time, and none after the end', () => {
    const state = initialPopulation();
    for (let year = 1; year <= 1_000; year += 1) recordEvent(state, { kind: 'crisis', year });
    expect(explainRefusal(state)).toMatch(/1000 events wait/);
    expect(explainRefusal({ ...initialPopulation(), finishing: true })).toMatch(/finish/);
    expect(explainRefusal(initialPopulation())).toBeUndefined();
  });
});
