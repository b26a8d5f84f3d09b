/** Beginnings of the names of months in some languages, by their number. */
const MONTHS = [
  'jan|gen|ene|янв',
  'feb|fév|fev|фев',
  'mar|mär|mrz|maa|mrt|мар',
  'apr|avr|abr|апр',
  'may|mai|mag|mei|мая|май',
  'jun|juin|giu|июн',
  'jul|juil|lug|июл',
  'aug|aoû|aou|ago|авг',
  'sep|set|сен',
  'oct|okt|ott|out|окт',
  'nov|ноя',
  'dec|dez|déc|dic|дек',
].map((names) => new RegExp(`^(?:${names})`, 'iu'));

const NAMED_MONTH = '(\\p{L}{3,10})\\.?';
const DAY = '(\\d{1,2})(?:st|nd|rd|th|er|º|ª|\\.)?';
const YEAR = "(\\d{4}|['’]\\d{2})";

/** Usual forms of dates: which of the parts is the year, the month and the day. */
const FORMS: readonly { form: RegExp; year: number; month: number; day: number }[] = [
  { form: /(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/gu, year: 1, month: 2, day: 3 },
  { form: /(?<!\d)(\d{4})(\d{2})(\d{2})(?!\d)/gu, year: 1, month: 2, day: 3 },
  { form: /(\d{4}) ?[年년] ?(\d{1,2}) ?[月월] ?(\d{1,2}) ?[日일]/gu, year: 1, month: 2, day: 3 },
  { form: /(?<!\d)(\d{1,2})[-/. ]{1,2}(\d{1,2})[-/. ]{1,2}(\d{4})(?!\d)/gu, year: 3, month: 2, day: 1 },
  { form: /(?<!\d)(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})(?!\d)/gu, year: 3, month: 1, day: 2 },
  {
    form: new RegExp(`(?<!\\d)${DAY}[ -](?:of |de |d['’])?${NAMED_MONTH}(?: de|,)?[ -]${YEAR}`, 'giu'),
    year: 3,
    month: 2,
    day: 1,
  },
  { form: new RegExp(`(?<!\\p{L})${NAMED_MONTH}[ -](?:the )?${DAY},?[ -]${YEAR}`, 'giu'), year: 3, month: 1, day: 2 },
  { form: new RegExp(`(?<!\\d)(\\d{4})[ -]${NAMED_MONTH}[ -]${DAY}(?!\\d)`, 'giu'), year: 1, month: 2, day: 3 },
];

function monthOf(written: string): number {
  return /^\d/.test(written) ? Number(written) : MONTHS.findIndex((month) => month.test(written)) + 1;
}

function yearOf(written: string): number {
  return written.length === 4 ? Number(written) : 2000 + Number(written.slice(1));
}

/** Returns the dates in a text, as `2025-03-03`; a form that may mean two, such as 3/4/2025, gives both. */
export function datesIn(text: string): Set<string> {
  const found = new Set<string>();
  for (const { form, year, month, day } of FORMS) {
    for (const parts of text.matchAll(form)) {
      const [y, m, d] = [yearOf(parts[year]!), monthOf(parts[month]!), Number(parts[day])];
      if (m < 1 || m > 12 || d < 1 || d > 31) continue;
      found.add(`${y}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`);
    }
  }
  return found;
}

/** Characters that a date with its time and its weekday may have. */
const LONGEST = 60;

/** Returns the date that a text is, as `2025-03-03`; undefined for a text that says more, and for one that may mean two dates. */
export function dateOf(text: string): string | undefined {
  if (text.length > LONGEST) return undefined;
  const rest = text.trim().replace(/[T ]00:00(?::00(?:\.0{1,9})?)?(?:Z|[+-]00:?00)?$/i, '');
  const [only, ...others] = datesIn(rest);
  const isWhole = FORMS.some(
    ({ form }) =>
      rest
        .replace(form, '')
        .replace(/^\p{L}{2,12}\.?,? ?/u, '')
        .trim() === '',
  );
  return others.length === 0 && isWhole ? only : undefined;
}
