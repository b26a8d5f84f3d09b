import { type Row, texts, twice } from './row';

const reply = { name: 'verdict', schema: { type: 'object' } };
const SUGGESTED = { temperature: 0, seed: 3, suggested: ['temperature', 'seed'] as const };

const suggestedRows = (['temperature', 'seed'] as const).flatMap((refused) =>
  ([400, 422, 500] as const).flatMap((status) =>
    (['name', 'detail'] as const).map((tells): Row => ({
      row: '`temperature` or `seed` of a judge is refused',
      name: `${refused} by ${status}, told by ${tells}`,
      habits: { refuses: { [refused]: status }, tells },
      script: twice({ reply: { ok: true } }),
      request: { reply, ...SUGGESTED },
      check({ replies, errors, sent }) {
        expect(errors).toEqual([]);
        expect(replies.map(({ warnings }) => warnings)).toEqual([undefined, undefined]);
        const without = { temperature: [0, undefined, undefined], seed: [3, undefined, undefined] };
        const told = { temperature: [0, 0, 0], seed: [3, 3, 3], [refused]: without[refused] };
        expect(sent.map(({ temperature }) => temperature)).toEqual(told.temperature);
        expect(sent.map(({ seed }) => seed)).toEqual(told.seed);
        expect(sent.every(({ response_format: asked }) => asked !== undefined)).toBe(true);
      },
    })),
  ),
);

/** Servers that refuse a setting which nobody but the package chose. */
export const SUGGESTED_ROWS: Row[] = [
  ...suggestedRows,
  {
    row: '`temperature` or `seed` of a judge is refused',
    name: 'both, one after the other',
    habits: { refuses: { temperature: 400, seed: 400 } },
    script: twice({ reply: 'Three.' }),
    request: SUGGESTED,
    check(seen) {
      expect(texts(seen)).toEqual(['Three.', 'Three.']);
      expect(seen.sent.map(({ temperature, seed }) => [temperature, seed])).toEqual([
        [0, 3],
        [undefined, 3],
        [undefined, undefined],
        [undefined, undefined],
      ]);
    },
  },
  {
    row: '`temperature` or `seed` of a judge is refused',
    name: 'that the step or the spec sets: an error',
    habits: { refuses: { temperature: 400 } },
    script: [],
    request: { temperature: 0, suggested: [] },
    calls: 1,
    check({ errors, sent }) {
      expect(errors).toEqual([expect.objectContaining({ status: 400 })]);
      expect(sent).toHaveLength(1);
    },
  },
  {
    row: '`temperature` or `seed` of a judge is refused',
    name: 'a temperature of `extraBody` decides, and a seed of the model gives way',
    script: twice({ reply: 'Three.' }),
    config: { extraBody: { temperature: 1 }, seed: 7 },
    request: SUGGESTED,
    check(seen) {
      expect(texts(seen)).toEqual(['Three.', 'Three.']);
      expect(seen.sent.map(({ temperature, seed }) => [temperature, seed])).toEqual([
        [1, 3],
        [1, 3],
      ]);
    },
  },
];
