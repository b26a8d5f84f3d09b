import { isSoleExpression, isTemplate } from '../text/template-reads';
import { isJsonObject, type Json } from '../json/json';
import { jsonPointer } from '../json/json-pointer';
import { withFenceKey } from './fence';
import { TemplateInterpreter } from './interpreter';
import { isMapping, isUndefined, newScope, type Scope, type TemplateNode, toValue, type Value } from './jinja-library';
import { checkItemCount, MAX_MILLISECONDS, TemplateFailed } from './limits';
import { parsedTemplate, templateProblems } from './parsing';
import { printValue, toJson } from './printing';
import { TimeLimitExceeded, withTimeLimit } from '../threads/time-limit';

export const TOO_DEEP = 'it, or what it is given, is nested too deeply';

export type TemplateVariables = { [name: string]: Json | undefined };

export interface RenderedText {
  text: string;
  /** One for each undefined variable that was printed. */
  warnings: string[];
}

export interface FencedText extends RenderedText {
  /** Whether a part is between markers, so that its reader must be informed what they mean. */
  isFenced: boolean;
}

export interface RenderedValue {
  value: Json;
  warnings: string[];
  /** JSON Pointers of the texts in the value that hold what others wrote; undefined if there are none. */
  material?: string[];
}

/** Renders a Jinja template. A text without tags comes back as it is. Throws `TemplateFailed`. */
export function renderTemplate(text: string, variables: TemplateVariables): RenderedText {
  const { isFenced: _isFenced, ...rendered } = renderText(text, variables);
  return rendered;
}

/**
 * Renders a template for a model. What it prints of a model's earlier words (outputs, what is wrong with them, hints), however it
 * comes by them (members, filters, loops, variables, macros), is put between unpredictable markers. A prompt of a user is then as
 * safe as ours: a draft cannot go on as if the prompt spoke. Throws `TemplateFailed`.
 * @param material keys of `state` whose texts others wrote, beside what a loop puts there
 */
export function renderFenced(text: string, variables: TemplateVariables, material: readonly string[] = []): FencedText {
  return renderText(text, variables, material);
}

/** @param material undefined: nothing is fenced */
function renderText(text: string, variables: TemplateVariables, material?: readonly string[]): FencedText {
  if (!isTemplate(text)) return { text, warnings: [], isFenced: false };
  const template = parsedTemplate(text);
  const values = (): Map<string, Value> => toValues(variables);
  return run(values, (interpreter, scope) => {
    if (material) interpreter.startFencing(scope.variables, material);
    const rendered = printValue(interpreter.evaluate(template, scope));
    return { text: rendered, warnings: [...interpreter.warnings], isFenced: interpreter.hasFenced };
  });
}

/**
 * Renders every text inside a JSON value. A text that is exactly one `{{ expression }}` becomes the expression's value with its
 * type; what an expression yields is never rendered again. Keys are left alone. Throws `TemplateFailed`.
 * @param material keys of `state` whose texts others wrote, beside what a loop puts there; what is made of them is reported, not
 *   fenced
 */
export function renderValue(
  value: Json,
  variables: TemplateVariables,
  material: readonly string[] = [],
): RenderedValue {
  // A large state is converted once for all texts, and not at all when none of them is a template.
  let made: Map<string, Value> | undefined;
  const values = (): Map<string, Value> => (made ??= toValues(variables));
  const warnings = new Set<string>();
  const found: string[] = [];
  const render = (entry: Json, path: readonly (string | number)[]): Json => {
    if (typeof entry === 'string') {
      const rendered = renderParameter(entry, values, material);
      for (const warning of rendered.warnings) warnings.add(warning);
      if (rendered.isMaterial) found.push(jsonPointer(path));
      return rendered.value;
    }
    if (Array.isArray(entry)) return entry.map((item, index) => render(item, [...path, index]));
    if (!isJsonObject(entry)) return entry;
    // Unlike assignment, this makes an ordinary key of `__proto__`.
    return Object.fromEntries(Object.entries(entry).map(([key, item]) => [key, render(item, [...path, key])]));
  };
  return { value: render(value, []), warnings: [...warnings], ...(found.length > 0 ? { material: found } : {}) };
}

function renderParameter(
  text: string,
  values: () => Map<string, Value>,
  material: readonly string[],
): RenderedValue & { isMaterial?: boolean } {
  if (!isTemplate(text)) return { value: text, warnings: [] };
  const expression = soleExpression(text);
  const template = expression ?? parsedTemplate(text);
  return run(values, (interpreter, scope) => {
    interpreter.watch(scope.variables, material);
    const result = interpreter.evaluate(template, scope);
    // Printing it is what leaves the warning.
    if (isUndefined(result)) interpreter.evaluateBlock([{ type: 'Held', value: result }], scope);
    return {
      value: expression ? toJson(result) : printValue(result),
      warnings: [...interpreter.warnings],
      isMaterial: interpreter.hasMaterial(result),
    };
  });
}

function soleExpression(text: string): TemplateNode | undefined {
  const trimmed = text.trim();
  if (!isSoleExpression(trimmed)) return undefined;
  return (parsedTemplate(trimmed).body as TemplateNode[])[0];
}

function run<Result>(
  values: () => Map<string, Value>,
  work: (interpreter: TemplateInterpreter, scope: Scope) => Result,
): Result {
  try {
    return withTimeLimit(MAX_MILLISECONDS, () => {
      const scope = newScope();
      for (const [name, value] of values()) scope.variables.set(name, value);
      return work(new TemplateInterpreter(scope), scope);
    });
  } catch (error) {
    throw new TemplateFailed(`template failed: ${failureMessage(error)}`, { cause: error });
  }
}

/** A key of the state that no variable hides is a variable, too: the same value, so that its author is known. */
function toValues(variables: TemplateVariables): Map<string, Value> {
  const globals = { true: true, True: true, false: false, False: false, none: null, None: null, range: boundedRange };
  const given = Object.entries({ ...globals, ...variables }).filter(([, value]) => value !== undefined);
  const values = new Map(given.map(([name, value]) => [name, toValue(value)]));
  const state = values.get('state');
  if (isMapping(state)) {
    for (const [key, value] of state.value) if (!values.has(key)) values.set(key, value);
  }
  return values;
}

/** Returns what Python's `range` does, and refuses before it makes too long a list. */
function boundedRange(first: number, second?: number, step = 1): number[] {
  const [start, stop] = second === undefined ? [0, first] : [first, second];
  const isWhole = [start, stop, step].every(Number.isInteger);
  if (!isWhole || step === 0) throw new TemplateFailed('range() needs whole numbers');
  const count = Math.max(0, Math.ceil((stop - start) / step));
  checkItemCount(count);
  return Array.from({ length: count }, (_, index) => start + index * step);
}

function failureMessage(error: unknown): string {
  if (error instanceof TimeLimitExceeded) return `it ${error.message}`;
  if ((error as Error).name === 'RangeError') return TOO_DEEP;
  return (error as Error).message || 'it uses break or continue outside of a loop';
}

/** A list of parts that are rendered with the same variables. A `task` is the variable `task` of the parts after it. */
export interface Rendering {
  parts: ({ kind: 'text' | 'fenced' | 'task'; text: string } | { kind: 'value'; value: Json })[];
  variables: TemplateVariables;
  material?: readonly string[];
  fenceKey: string;
}

/** A part of a rendering; only texts that may be fenced say whether they are. */
export type Rendered = RenderedValue & { isFenced?: boolean };

/** Renders one after the other, up to the first that fails. */
export function renderings(rendering: Rendering): { done: Rendered[]; failure?: string } {
  return withFenceKey(rendering.fenceKey, () => renderedInOrder(rendering));
}

function renderedInOrder({ parts, variables, material }: Rendering): ReturnType<typeof renderings> {
  const done: Rendered[] = [];
  let known = variables;
  try {
    for (const part of parts) {
      if (part.kind === 'value') {
        done.push(renderValue(part.value, known, material));
        continue;
      }
      const isPlain = part.kind === 'text';
      const { text: value, ...rest } = isPlain
        ? renderTemplate(part.text, known)
        : renderFenced(part.text, known, material);
      done.push({ value, ...rest });
      if (part.kind === 'task') known = { ...known, task: value };
    }
    return { done };
  } catch (error) {
    if (error instanceof TemplateFailed) return { done, failure: error.message };
    throw error;
  }
}

export function problemsOfTemplates({ texts }: { texts: string[] }): string[][] {
  return texts.map((text) => templateProblems(text));
}
