import { isJsonObject, type Json, type JsonObject } from '../../lib/json/json';
import { replaceAt, valueAt } from '../../lib/json/json-pointer';
import { below } from '../../lib/base/spec-problem';
import type { SpecProblem } from '../../lib/contract/spec-problem';
import { didYouMean } from '../../lib/names/nearest-name';
import { isTemplate, templateNeeds } from '../../lib/text/template-reads';
import { MOST_CRITERIA, MOST_EVALUATORS } from '../base/maxima';
import { SENTENCE, TYPE_OF_KEY, type TypeKey } from '../base/short-forms';
import type { QualityCriterion } from '../contract/criteria';
import type { EvaluatorType } from '../contract/evaluators';
import { KNOWN_CRITERIA } from './criteria-sets';
import { omitNulls } from './omit-nulls';

/*
 * A run keeps what its starter wrote, and each replay expands it anew. The same short form must therefore give the same
 * evaluators, in the same order, in every release; names and prompts, which no decision reads, may change.
 */

/** A part of a long form, and the part of the short form that it was made of, as JSON Pointers. */
export interface MovedPart {
  long: string;
  short: string;
  /** The part was made of one text: problems inside of it are problems of that text. */
  isWhole?: true;
}

export interface Expanded {
  /** The long form; the value itself where it has no short form in it. A short form that has no meaning stays as it is. */
  value: unknown;
  /** The short forms that have no meaning, by their paths in the short form. */
  problems: SpecProblem[];
  /** The parts that are elsewhere in the short form. */
  moved: MovedPart[];
}

const MOST_LISTED = MOST_EVALUATORS + MOST_CRITERIA;

const NAME_LENGTH = 60;

/** Keys of a state that a run reads itself, and that no prompt is to show. */
const OWN_KEYS = ['llm_model'];

/** A long spec is returned as it is. */
export function expandSpec(written: unknown): Expanded {
  if (!isJsonObject(written)) return { value: written, problems: [], moved: [] };
  const given = omitNulls(written);
  const { evaluator, ...rest } = given;
  const { value: evaluators, problems, moved } = expandEvaluators(evaluator);
  const generator = rest['generator'] === undefined ? draftStep(rest['task']) : undefined;
  if (!generator && evaluators === evaluator) return { value: given, problems, moved };
  const value = {
    ...rest,
    ...(generator && { generator }),
    ...(evaluators === undefined ? {} : { evaluator: evaluators }),
  };
  return { value, problems, moved };
}

/** A value without fields that are null, and with the specs at some places of it in their long form. */
export function expandSpecsAt(given: unknown, pointers: readonly string[]): Expanded {
  let value = omitNulls(given) as Json;
  const problems: SpecProblem[] = [];
  const moved: MovedPart[] = [];
  for (const pointer of pointers) {
    const spec = valueAt(value, pointer);
    const expanded = expandSpec(spec);
    if (expanded.value !== spec) value = replaceAt(value, pointer, expanded.value as Json)!;
    problems.push(...expanded.problems.map(below(pointer)));
    moved.push(
      ...expanded.moved.map((part) => ({ ...part, long: `${pointer}${part.long}`, short: `${pointer}${part.short}` })),
    );
  }
  return { value, problems, moved };
}

/** A function that finds the path in a short form of a path in its long form. */
export function pathsAsWritten(moved: readonly MovedPart[]): (pointer: string) => string {
  const parts = new Map(moved.map((part) => [part.long, part]));
  const longest = moved.reduce((most, { long }) => Math.max(most, long.length), 0);
  return (pointer) => {
    // The nearest part around the place is that of the longest path.
    for (let around = pointer; ;) {
      const part = around.length <= longest ? parts.get(around) : undefined;
      if (part) return part.isWhole ? part.short : `${part.short}${pointer.slice(around.length)}`;
      const end = around.lastIndexOf('/');
      if (end < 0) return pointer;
      around = around.slice(0, end);
    }
  };
}

/** An object with the moved parts, to spread into a larger one; an empty object if there are none. */
export function asMoved(moved: MovedPart[]): { moved?: MovedPart[] } {
  return moved.length === 0 ? {} : { moved };
}

export function problemsAsWritten<Problem extends SpecProblem>(
  moved: readonly MovedPart[],
  problems: readonly Problem[],
): Problem[] {
  const written = pathsAsWritten(moved);
  return problems.map((problem) => ({ ...problem, path: written(problem.path) }));
}

/** The problems of a short form, and those at other places of its long form, by their paths in the short form. */
export function allProblems({ problems, moved }: Expanded, found: readonly SpecProblem[]): SpecProblem[] {
  const known = new Set(problems.map(({ path }) => path));
  const others = problemsAsWritten(moved, found).filter(({ path }) => !known.has(path));
  return [...problems, ...others];
}

function draftStep(task: unknown): JsonObject | undefined {
  return typeof task === 'string' && task.trim() !== '' ? { action: 'llm.call', prompt: draftPrompt(task) } : undefined;
}

/** Prints the task, and each value of the state that the task does not read between markers, below its key. */
function draftPrompt(task: string): string {
  const read = isTemplate(task) ? templateNeeds([task]).keys : [];
  if (read === 'all') return '{{ task }}';
  const shown = [...OWN_KEYS, ...read.filter((key) => /^\w+$/.test(key))].map((key) => `"${key}"`).join(', ');
  // A key that is no name may speak to the model, as a value may.
  const key = '{{ key if key | length < 41 and key.split() | length == 1 else key | fenced }}';
  const condition = `not key.startswith("reflection_") and key not in [${shown}]`;
  return `{{ task }}{% for key, value in state | items if ${condition} %}\n\n\n${key}:\n{{ value | fenced }}{% endfor %}`;
}

export function expandEvaluation(given: JsonObject): Expanded {
  const { value: evaluator, ...expanded } = expandEvaluators(given['evaluator']);
  return { ...expanded, value: evaluator === undefined ? given : { ...given, evaluator } };
}

/** The evaluators of a spec in their long form: those that are sentences as one, in the place of the first. */
function expandEvaluators(given: unknown): Expanded {
  const isList = Array.isArray(given);
  const listed: unknown[] = isList ? given : [given];
  // No longer list can be valid, and workflow code has no time to look at each of its entries.
  if (listed.length > MOST_LISTED) return { value: given, problems: [], moved: [] };
  const at = (index: number): string => (isList ? `/evaluator/${index}` : '/evaluator');
  const problems: SpecProblem[] = [];
  const moved: MovedPart[] = [];
  const made: unknown[] = [];
  const criteria: (string | QualityCriterion)[] = [];
  const nameOf = criterionNames();
  /** The place of the evaluator of sentences among those that were made. */
  let asked = -1;
  for (const [index, each] of listed.entries()) {
    const problem = typeof each === 'string' ? textProblem(each) : keysProblem(each);
    if (problem !== undefined) problems.push({ path: at(index), message: problem });
    if (typeof each !== 'string' || problem !== undefined) {
      if (made.length !== index) moved.push({ long: at(made.length), short: at(index) });
      made.push(problem === undefined ? withType(each) : each);
      continue;
    }
    if (asked < 0) {
      asked = made.length;
      made.push({ type: 'criteria', criteria });
      moved.push({ long: at(asked), short: at(index), isWhole: true });
      moved.push({ long: `${at(asked)}/criteria`, short: '/evaluator', isWhole: true });
    }
    moved.push({ long: `${at(asked)}/criteria/${criteria.length}`, short: at(index), isWhole: true });
    criteria.push(isKnown(each) ? each : { name: nameOf(each), threshold: 1, evaluatorConfig: { questions: [each] } });
  }
  const isLong = made.length === listed.length && made.every((each, index) => each === listed[index]);
  return { value: isLong ? given : isList ? made : made[0], problems, moved };
}

function isKnown(text: string): boolean {
  return KNOWN_CRITERIA.includes(text);
}

function textProblem(text: string): string | undefined {
  if (SENTENCE.test(text) || isKnown(text)) return undefined;
  const shown = JSON.stringify(text.slice(0, NAME_LENGTH));
  const names = KNOWN_CRITERIA.join(', ');
  return `must be a sentence or the name of a criterion, and is ${shown}${didYouMean(text, KNOWN_CRITERIA)}; the names are ${names}`;
}

function criterionNames(): (sentence: string) => string {
  const counts = new Map(KNOWN_CRITERIA.map((name) => [name, 1]));
  return (sentence) => {
    const words = firstWords(sentence);
    let count = counts.get(words) ?? 0;
    let name = words;
    while (count > 0 && counts.has(name)) name = `${words}_${++count}`;
    counts.set(words, Math.max(count, 1));
    counts.set(name, 1);
    return name;
  };
}

function firstWords(sentence: string): string {
  const [first = 'criterion', ...others] = sentence.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  let name = Array.from(first).slice(0, NAME_LENGTH).join('');
  for (const word of others) {
    if (name.length + word.length >= NAME_LENGTH) break;
    name = `${name}_${word}`;
  }
  return name;
}

function typeKeys(evaluator: JsonObject): TypeKey[] {
  return Object.keys(evaluator).filter((key): key is TypeKey => Object.hasOwn(TYPE_OF_KEY, key));
}

function withType(evaluator: unknown): unknown {
  if (!isJsonObject(evaluator) || evaluator['type'] !== undefined) return evaluator;
  const { type: _none, ...settings } = evaluator;
  const [key] = typeKeys(settings);
  const type: EvaluatorType = TYPE_OF_KEY[key!];
  return { type, ...settings };
}

const inCode = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

function keysProblem(evaluator: unknown): string | undefined {
  if (!isJsonObject(evaluator) || evaluator['type'] !== undefined) return undefined;
  const keys = typeKeys(evaluator);
  const types = new Set(keys.map((key) => TYPE_OF_KEY[key]));
  if (types.size === 1) return undefined;
  const all = Object.keys(TYPE_OF_KEY);
  if (types.size > 1) {
    const found = keys.map((key) => `\`${key}\` (${TYPE_OF_KEY[key]})`).join(' and ');
    return `has keys of several types, ${found}: keep those of one, or give \`type\``;
  }
  const has = Object.keys(evaluator).slice(0, 10);
  const found = has.length === 0 ? 'has no keys' : `has ${inCode(has)}, and no key that gives it a type`;
  const near = has.map((key) => didYouMean(key, all)).find((hint) => hint !== '') ?? '';
  return `${found}${near}: give \`type\`, such as \`llm\`, or one of ${inCode(all)}`;
}
