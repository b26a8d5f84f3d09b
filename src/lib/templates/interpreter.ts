import { fenceText } from './fence';
import { FENCED, FILTERS, FILTERS_OF_UNDEFINED, UNFENCED } from './filters/filters';
import type { Arguments, Scope, TemplateNode, Value } from './jinja-library';
import {
  isFunction,
  isList,
  isMapping,
  isNull,
  isText,
  isUndefined,
  JinjaInterpreter,
  list,
  text,
  undefinedValue,
} from './jinja-library';
import { checkItemCount, checkTextLength, MAX_DEPTH, MAX_STEPS } from './limits';
import { TaintTracker } from './taint';
import { applyOperator } from './operators';
import { printValue } from './printing';
import { TemplateFailed } from './limits';
import { TEXT_METHODS } from './filters/text-methods';

/**
 * The library's interpreter with three changes: it is bounded, because templates come from strangers; an undefined
 * value prints nothing and leaves a warning, because a run must not die of a typo after it has paid for a draft; and
 * filters, operators and printing are ours where the library's differ from Jinja's or are missing.
 */
export class TemplateInterpreter extends JinjaInterpreter {
  readonly warnings = new Set<string>();
  private steps = 0;
  private depth = 0;
  private readonly undefinedNames = new WeakMap<Value, string>();
  /** The tracker of texts to fence; undefined if nothing is fenced. */
  private material?: TaintTracker;
  /** Labels of what was printed of a model's words, where the text is not yet the prompt's: it may still be changed. */
  private captured?: string[];
  /** A model's words were printed between markers. */
  hasFenced = false;

  /** Puts markers around what is printed of a model's words, from now on. */
  startFencing(variables: ReadonlyMap<string, Value>, keys: readonly string[]): void {
    this.material = new TaintTracker(variables, keys, (steps) => this.spend(steps));
  }

  /** Tracks a model's words in texts that are not prompts and are printed as they are; `hasMaterial` reports them afterwards. */
  watch(variables: ReadonlyMap<string, Value>, keys: readonly string[]): void {
    this.startFencing(variables, keys);
    this.captured = [];
  }

  /** Returns whether the texts printed since `watch`, or a value that was made and not printed, contain a model's words. */
  hasMaterial(value?: Value): boolean {
    return (this.captured ?? []).length > 0 || (value !== undefined && this.material?.labelOf(value) !== undefined);
  }

  override evaluate(node: TemplateNode | undefined, scope: Scope): Value {
    this.spend(1);
    if (++this.depth > MAX_DEPTH) throw new TemplateFailed('it, or a macro that calls itself, is nested too deeply');
    try {
      const value = node ? this.evaluateNode(node, scope) : undefinedValue();
      if (isText(value)) checkTextLength(value.value.length);
      else if (isList(value)) checkItemCount(value.value.length);
      return value;
    } finally {
      this.depth--;
    }
  }

  override evaluateBlock(nodes: TemplateNode[], scope: Scope): Value {
    let result = '';
    for (const node of nodes) {
      result += this.printedSafely(this.replaceUndefined(this.evaluate(node, scope)));
      checkTextLength(result.length);
    }
    return text(result);
  }

  private printedSafely(value: Value): string {
    const shown = printValue(value);
    const label = this.material?.labelOf(value);
    if (label === undefined) return shown;
    if (this.captured) {
      this.captured.push(label);
      return shown;
    }
    this.hasFenced = true;
    return fenceText(label, shown);
  }

  /** Makes a text of a block for something else than the prompt; only the text that results from it is fenced. */
  private capture(make: () => Value): Value {
    if (!this.material) return make();
    const outer = this.captured;
    const labels: string[] = (this.captured = []);
    try {
      const made = make();
      return labels.length > 0 && isText(made) ? this.material.mark(made, labels) : made;
    } finally {
      this.captured = outer;
    }
  }

  private derive(made: Value, sources: readonly Value[]): Value {
    return this.material?.derive(made, sources) ?? made;
  }

  private spend(steps: number): void {
    this.steps += steps;
    if (this.steps > MAX_STEPS) throw new TemplateFailed(`it takes more than ${MAX_STEPS} steps`);
  }

  private replaceUndefined(value: Value): Value {
    if (!isUndefined(value)) return value;
    const name = this.undefinedNames.get(value);
    if (name) this.warnings.add(`"${name}" is undefined and was printed as nothing`);
    return text('');
  }

  private evaluateNode(node: TemplateNode, scope: Scope): Value {
    switch (node.type) {
      case 'Held':
        return node.value as Value;
      case 'Identifier':
        return this.rememberName(scope.lookupVariable(node.value as string), node.value as string);
      case 'MemberExpression':
        return this.evaluateMember(node, scope);
      case 'CallExpression':
        return this.evaluateCall(node, scope);
      case 'BinaryExpression':
        return this.evaluateBinary(node, scope);
      case 'FilterExpression':
        return this.applyFilterNode(this.evaluate(node.operand as TemplateNode, scope), node.filter, scope);
      case 'FilterStatement':
        return this.applyFilterNode(this.captureBlock(node.body as TemplateNode[], scope), node.filter, scope);
      case 'Set':
        // With a body, its value is the body's text.
        return super.evaluate(
          node.value ? node : { ...node, value: holdValue(this.captureBlock(node.body as TemplateNode[], scope)) },
          scope,
        );
      case 'CallStatement':
        return this.capture(() => super.evaluate(node, scope));
      case 'For':
        return super.evaluate(this.withIterable(node, scope), scope);
      default:
        return super.evaluate(node, scope);
    }
  }

  private captureBlock(body: TemplateNode[], scope: Scope): Value {
    return this.capture(() => this.evaluateBlock(body, scope));
  }

  private rememberName(value: Value, name: string): Value {
    if (isUndefined(value) && !this.undefinedNames.has(value)) this.undefinedNames.set(value, name);
    return value;
  }

  private evaluateMember(node: TemplateNode, scope: Scope): Value {
    const object = this.evaluate(node.object as TemplateNode, scope);
    const property = node.property as TemplateNode;
    if (property.type === 'SliceExpression') {
      if (isUndefined(object)) return object;
      return this.derive(super.evaluate({ ...node, object: holdValue(object) }, scope), [object]);
    }
    const name = node.computed ? this.evaluate(property, scope).value : property.value;
    const found = member(object, name);
    // A character of a text is new; members of lists and objects are not.
    if (isText(object)) this.derive(found, [object]);
    return isUndefined(found) ? this.rememberName(found, expressionText(node, name)) : found;
  }

  private evaluateCall(node: TemplateNode, scope: Scope): Value {
    const callee = node.callee as TemplateNode;
    if (callee.type === 'Identifier' && isUndefined(scope.lookupVariable(callee.value as string))) {
      throw new TemplateFailed(`there is no function "${String(callee.value)}"`);
    }
    if (callee.type !== 'MemberExpression' || callee.computed) return this.capture(() => super.evaluate(node, scope));
    const object = this.evaluate(callee.object as TemplateNode, scope);
    const method = (callee.property as TemplateNode).value as string;
    if (isUndefined(object)) return object;
    if (isText(object) && TEXT_METHODS.has(method)) {
      const [positional, keywords] = this.evaluateArguments(node.args as TemplateNode[], scope);
      const given = [...positional, ...keywords.values()];
      return this.derive(TEXT_METHODS.get(method)!(object.value, given), [object, ...given]);
    }
    if (!isFunction(member(object, method))) throw new TemplateFailed(`there is no method "${method}" to call`);
    const made = this.capture(() =>
      super.evaluate({ ...node, callee: { ...callee, object: holdValue(object) } }, scope),
    );
    return this.derive(made, [object]);
  }

  private evaluateBinary(node: TemplateNode, scope: Scope): Value {
    const operator = (node.operator as { value: string }).value;
    // These two must not evaluate their right side unless they need it.
    if (operator === 'and' || operator === 'or') return super.evaluate(node, scope);
    let left = this.evaluate(node.left as TemplateNode, scope);
    let right = this.evaluate(node.right as TemplateNode, scope);
    if (operator === '~' || (operator === '+' && (isText(left) || isText(right)))) {
      left = this.replaceUndefined(left);
      right = this.replaceUndefined(right);
    }
    const result = applyOperator(operator, left, right);
    if (result) return this.derive(result, [left, right]);
    for (const side of [left, right]) {
      if (!isUndefined(side) && !isNull(side)) continue;
      const name = this.undefinedNames.get(side) ?? 'a value';
      throw new TemplateFailed(`"${operator}" cannot use ${name}: it is ${isNull(side) ? 'null' : 'undefined'}`);
    }
    return this.derive(super.evaluate({ ...node, left: holdValue(left), right: holdValue(right) }, scope), [
      left,
      right,
    ]);
  }

  private applyFilterNode(operand: Value, filter: unknown, scope: Scope): Value {
    const node = filter as TemplateNode;
    const name = filterName(node);
    const given: Arguments =
      node.type === 'CallExpression' ? this.evaluateArguments(node.args as TemplateNode[], scope) : [[], new Map()];
    return this.applyFilterNamed(name, operand, given, scope);
  }

  private applyFilterNamed(name: string, operand: Value, [positional, named]: Arguments, scope: Scope): Value {
    this.spend(isText(operand) ? operand.value.length >> 6 : 1);
    const filter = FILTERS.get(name);
    if (!filter) throw new TemplateFailed(`there is no filter "${name}"`);
    if (name === UNFENCED && this.material) return this.material.vouchFor(this.replaceUndefined(operand));
    if (name === FENCED && this.material) return this.material.markDoubted(this.replaceUndefined(operand));
    const made = filter({
      name,
      operand: FILTERS_OF_UNDEFINED.has(name) ? operand : this.replaceUndefined(operand),
      positional,
      named,
      apply: (other, item, others) => this.applyFilterNamed(other, item, [others, new Map()], scope),
      test: (test, item, others) => {
        if (test === undefined) return item.__bool__().value;
        const asks = scope.tests.get(String(test.value));
        if (!asks) throw new TemplateFailed(`there is no test "${String(test.value)}"`);
        return asks(item, ...others);
      },
    });
    return this.derive(made, [operand, ...positional, ...named.values()]);
  }

  /** Returns the loop with its iterable evaluated: nothing for an undefined one, and pairs that the library can unpack. */
  private withIterable(node: TemplateNode, scope: Scope): TemplateNode {
    const iterable = node.iterable as TemplateNode;
    const isFiltered = iterable.type === 'SelectExpression';
    const found = this.evaluate((isFiltered ? iterable.lhs : iterable) as TemplateNode, scope);
    const source = holdValue(this.loopItems(found));
    return { ...node, iterable: isFiltered ? { ...iterable, lhs: source } : source };
  }

  private loopItems(value: Value): Value {
    if (isUndefined(value) || isNull(value)) {
      this.replaceUndefined(value);
      return list([]);
    }
    if (!isList(value)) return this.material?.keysOf(value) ?? value;
    this.spend(value.value.length);
    return list(value.value.map((item) => (item.type === 'TupleValue' ? list(item.value as Value[]) : item)));
  }
}

export function filterName(node: TemplateNode): string {
  const identifier = node.type === 'CallExpression' ? (node.callee as TemplateNode) : node;
  return String(identifier.value);
}

function holdValue(value: Value): TemplateNode {
  return { type: 'Held', value };
}

/** Returns only what a value holds: lists by number, objects by key, and the few methods that the library lists by name. */
function member(object: Value, name: unknown): Value {
  if (typeof name === 'number') {
    if (isList(object)) return object.value.at(name) ?? undefinedValue();
    const character = isText(object) ? object.value.at(name) : undefined;
    return character === undefined ? undefinedValue() : text(character);
  }
  if (typeof name !== 'string') return undefinedValue();
  return (isMapping(object) ? object.value.get(name) : undefined) ?? object.builtins.get(name) ?? undefinedValue();
}

function expressionText(node: TemplateNode, lastName?: unknown): string {
  if (node.type === 'Identifier') return String(node.value);
  if (node.type !== 'MemberExpression') return '…';
  const name = lastName ?? (node.property as TemplateNode).value;
  const shown = typeof name === 'string' && /^\w+$/.test(name) ? `.${name}` : `[${JSON.stringify(name) ?? '…'}]`;
  return expressionText(node.object as TemplateNode) + shown;
}
