import { hasRoomForEvent, populationSize } from '../../../../src/kinds/agents/state/event-load';
import type { AgentEvent } from '../../../../src/kinds/agents/state/population';
import { ReflectionTrigger } from '../../../../src/kinds/agents/base/defaults';

const crisis = (more: Partial<AgentEvent> = {}): AgentEvent => ({ kind: ReflectionTrigger.CRISIS, year: 1, ...more });
const EMPTY = { bytes: 0, events: 0 };
const MIB = 1_024 * 1_024;

const population = (agents: number, attributeBytes: number, reflection: object = {}) =>
  populationSize({
    agents: Array.from({ length: agents }, (_, index) => ({
      id: `a${index}`,
      type: 'household',
      attributes: 'x'.repeat(attributeBytes),
    })),
    config: { reflection },
  });

/** How many events fit beside each other into an empty history. */
function fitting(size: ReturnType<typeof population>, event: AgentEvent): number {
  const waiting: AgentEvent[] = [];
  while (waiting.length < 500 && hasRoomForEvent(EMPTY, size, waiting, event)) waiting.push(event);
  return waiting.length;
}

describe('what events bring to a history', () => {
  test.each<[string, ReturnType<typeof population>, AgentEvent, number]>([
    ['an agent of 900 KB with nine critics', population(1, 900_000, { critics: Array(9).fill('c') }), crisis(), 4],
    ['the same without critics', population(1, 900_000), crisis(), 46],
    ['by template no model is called', population(1, 900_000, { method: 'template' }), crisis(), 500],
    // Six events a call, and 45,000 in all.
    ['3,000 agents', population(3_000, 10), crisis(), 2],
    ['one of them', population(3_000, 10), crisis({ agentId: 'a1' }), 500],
    ['ten of them', population(3_000, 10), crisis({ context: { agents: Array(10).fill('a1') } }), 416],
  ])('%s: so many fit at a time', (_, size, event, count) => {
    expect(fitting(size, event)).toBe(count);
  });

  test('the largest event has its turn in a history that is half full at most', () => {
    const largest = population(600, 1_600, { critics: Array(9).fill('c') });
    expect(hasRoomForEvent({ bytes: 20 * MIB, events: 10_000 }, largest, [], crisis())).toBe(true);
    expect(hasRoomForEvent({ bytes: 20 * MIB + 1, events: 10_000 }, largest, [], crisis())).toBe(false);
    expect(hasRoomForEvent({ bytes: 0, events: 22_501 }, largest, [], crisis())).toBe(false);
  });

  test.each([undefined, null, 'agents', { agents: 'many', config: 1 }, { agents: [null], config: { reflection: [] } }])(
    'what was not checked yet may be anything: %j',
    (spec) => {
      expect(hasRoomForEvent(EMPTY, populationSize(spec), [], crisis())).toBe(true);
    },
  );
});
