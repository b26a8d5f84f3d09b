import { ALL_KEYS } from '../text/template-reads';
import { isList, isMapping, isNull, isText, list, text, toValue, type Value } from './jinja-library';
import { toJson } from './printing';

const LABELS: ReadonlyMap<string, string> = new Map([
  ['reflection_output', 'OUTPUT'],
  ['reflection_best', 'BEST'],
  ['reflection_hint', 'ADVICE'],
  ['reflection_errors', 'ERRORS'],
  ['reflection_history', 'HISTORY'],
  ['reflection_insights', 'INSIGHTS'],
  ['reflection_guidance', 'REVIEWER'],
  ['reflection_evidence', 'EVIDENCE'],
]);
const OF_JUDGES = [
  ['output', 'OUTPUT'],
  ['evidence', 'EVIDENCE'],
] as const;
/** Also of what others wrote into the state. */
const LABEL_OF_SEVERAL = 'MATERIAL';
/** Words of ours that a node of a pipeline leaves in the state. */
const OUTCOMES: ReadonlySet<unknown> = new Set(['pass', 'fail', 'inconclusive']);
/** Keys with records, in which only texts are a model's words; the fields below are the loop's decisions. */
const RECORDS: ReadonlySet<string> = new Set(['reflection_errors', 'reflection_history']);
const DECIDED: ReadonlySet<string> = new Set(['outcome', 'severity']);

/**
 * Tracks which values of one rendering a model wrote. Values are followed by identity through variables, loops and members; code
 * that makes a new value of others says so with `derive`.
 */
export class TaintTracker {
  private readonly labels = new WeakMap<Value, string>();
  /** Values from before the rendering, or vouched for by an author: operations do not mark them. */
  private readonly given = new WeakSet<Value>();
  /** The given values that hold no model's words. Templates cannot change lists and objects. */
  private readonly clean = new WeakSet<Value>();

  /** @param keys of the state, whose texts others wrote, beside those of a loop */
  constructor(
    variables: ReadonlyMap<string, Value>,
    keys: readonly string[],
    private readonly spend: (steps: number) => void,
  ) {
    const state = variables.get('state');
    const entries = isMapping(state) ? state.value : new Map<string, Value>();
    for (const [name, value] of entries) {
      const label = LABELS.get(name);
      if (label !== undefined && RECORDS.has(name)) this.markRecords(value, label);
      else if (label !== undefined) this.markWhole(value, label);
    }
    for (const name of keys.includes(ALL_KEYS) ? entries.keys() : keys) {
      const value = LABELS.has(name) ? undefined : entries.get(name);
      if (isWritten(value) && !OUTCOMES.has(value.value)) this.markWhole(value, LABEL_OF_SEVERAL);
    }
    // What a judge judges and is shown; a key of the state of that name is neither.
    for (const [name, label] of OF_JUDGES) {
      const value = variables.get(name);
      if (value !== undefined && value !== entries.get(name)) this.markWhole(value, label);
    }
    for (const value of variables.values()) this.know(value);
  }

  /** Returns the label of the fence around this value; undefined when nothing in it is a model's. */
  labelOf(value: Value): string | undefined {
    const labels = new Set<string>();
    this.collect(value, labels, new Set());
    return oneLabel(labels);
  }

  /** Records that a new value was made of others. Numbers and booleans carry no author's words. */
  derive(made: Value, sources: readonly Value[]): Value {
    if (!isWritten(made) || this.isKnown(made)) return made;
    // A text has all of it in it; a list may only have parts of a mixed source, which are known by themselves.
    const counted = isText(made) ? sources : sources.filter((source) => this.labels.has(source));
    const label = oneLabel(new Set(counted.flatMap((source) => this.labelOf(source) ?? [])));
    if (label !== undefined) this.markWhole(made, label, true);
    return made;
  }

  /** Marks a text that was printed with material in it. */
  mark(value: Value, labels: readonly string[]): Value {
    this.labels.set(value, oneLabel(new Set(labels)) ?? LABEL_OF_SEVERAL);
    return value;
  }

  /** Returns a copy of a value whose author vouches for it: it is not fenced. */
  vouchFor(value: Value): Value {
    const copy = copyOf(value);
    this.know(copy);
    return copy;
  }

  /** Returns a copy of a value that is to be fenced, whatever its author. */
  markDoubted(value: Value): Value {
    const copy = copyOf(value);
    this.markWhole(copy, LABEL_OF_SEVERAL);
    return copy;
  }

  /** Returns the keys of an object that a model wrote, for a loop over them. */
  keysOf(value: Value): Value | undefined {
    const label = isMapping(value) ? this.labels.get(value) : undefined;
    if (!isMapping(value) || label === undefined) return undefined;
    return list([...value.value.keys()].map((key) => this.mark(text(key), [label])));
  }

  private collect(value: Value, labels: Set<string>, seen: Set<Value>): void {
    const own = this.labels.get(value);
    if (own !== undefined) labels.add(own);
    if (own !== undefined || seen.has(value) || this.clean.has(value)) return;
    seen.add(value);
    for (const part of parts(value)) {
      this.spend(1);
      this.collect(part, labels, seen);
    }
  }

  private isKnown(value: Value): boolean {
    return this.given.has(value) || this.labels.has(value);
  }

  /** Records a value as known, and reports whether it holds no text of a model. */
  private know(value: Value): boolean {
    // Keys of the state are variables of their own as well.
    if (this.given.has(value)) return this.clean.has(value);
    let isClean = !this.labels.has(value);
    for (const part of parts(value)) isClean = this.know(part) && isClean;
    this.given.add(value);
    if (isClean) this.clean.add(value);
    return isClean;
  }

  private markWhole(value: Value, label: string, onlyNew = false): void {
    if ((onlyNew && this.isKnown(value)) || isNull(value)) return;
    if (label === LABEL_OF_SEVERAL && !isWritten(value)) return;
    this.labels.set(value, label);
    for (const part of parts(value)) this.markWhole(part, label, onlyNew);
  }

  private markRecords(value: Value, label: string): void {
    if (isText(value)) this.labels.set(value, label);
    else if (isMapping(value)) {
      for (const [key, entry] of value.value) {
        if (key === 'output') this.markWhole(entry, label);
        else if (!DECIDED.has(key)) this.markRecords(entry, label);
      }
    } else for (const part of parts(value)) this.markRecords(part, label);
  }
}

/** Returns whether a value can carry an author's words: numbers and booleans cannot. */
function isWritten(value: Value | undefined): value is Value {
  return isText(value) || isList(value) || isMapping(value);
}

function copyOf(value: Value): Value {
  return isWritten(value) ? toValue(toJson(value)) : value;
}

function oneLabel(labels: ReadonlySet<string>): string | undefined {
  return labels.size > 1 ? LABEL_OF_SEVERAL : [...labels][0];
}

function parts(value: Value): Iterable<Value> {
  if (isList(value)) return value.value;
  return isMapping(value) ? value.value.values() : [];
}
