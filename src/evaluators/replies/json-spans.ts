import { type LenientValue, lenientValueAt, type Looks } from '../../lib/json/lenient-json';

/** Objects and lists that nest or never end must not cost more than a few looks at each character. */
const LOOKS_PER_CHARACTER = 6;

interface JsonSpan extends LenientValue {
  start: number;
}

interface JsonSpans {
  spans: JsonSpan[];
  /** Something begins like an object and cannot be read, or part of what there was could not be looked at. */
  isBroken: boolean;
}

const BEGINNING =
  /\{(?=\s{0,100}(?:["'“„«}]|[\p{L}_$][\p{L}\d_$-]{0,60}\s{0,20}:))|\[(?=\s{0,100}[[{"'“\]\p{L}\d.-])/gu;
/** The fields that a verdict, answers or a preference could not be without. */
const TELLING = /valid|pass|score|verdict|outcome|satisf|approv|accept|answer|q\d|better|fail/i;

export function jsonSpans(text: string): JsonSpans {
  const looks: Looks = { left: text.length * LOOKS_PER_CHARACTER + 1_000 };
  const spans: JsonSpan[] = [];
  let isBroken = false;
  BEGINNING.lastIndex = 0;
  for (let match = BEGINNING.exec(text); match; match = BEGINNING.exec(text)) {
    if (looks.left <= 0) return { spans: [], isBroken: true };
    const start = match.index;
    const read = lenientValueAt(text, start, looks);
    if (read) {
      spans.push({ start, ...read });
      BEGINNING.lastIndex = Math.max(read.end, start + 1);
    } else if (match[0] === '{' && TELLING.test(text.slice(start, start + 400))) isBroken = true;
  }
  return { spans, isBroken };
}

export function withoutSpans(text: string, spans: readonly JsonSpan[]): string {
  let rest = '';
  let from = 0;
  for (const { start, end } of spans) {
    rest += text.slice(from, start) + `{}${text.slice(start + 2, end).replace(/[^\n]/g, ' ')}`;
    from = end;
  }
  return rest + text.slice(from);
}
