import { Environment, Interpreter, parse, tokenize } from '@huggingface/jinja';

/*
 * The one file that knows @huggingface/jinja. Its published types do not resolve under Node's module resolution, and its
 * value classes are not exported: both are recovered here.
 */

export interface Value {
  readonly type: string;
  readonly value: unknown;
  readonly builtins: ReadonlyMap<string, Value>;
  __bool__(): { value: boolean };
}

export interface TemplateNode {
  readonly type: string;
  readonly [property: string]: unknown;
}

export interface Scope {
  variables: Map<string, Value>;
  tests: ReadonlyMap<string, (...values: Value[]) => boolean>;
  lookupVariable(name: string): Value;
}

export type Arguments = [positional: Value[], named: Map<string, Value>];

interface LibraryInterpreter {
  evaluate(node: TemplateNode | undefined, scope: Scope): Value;
  evaluateBlock(nodes: TemplateNode[], scope: Scope): Value;
  evaluateArguments(nodes: TemplateNode[], scope: Scope): Arguments;
}

export const JinjaInterpreter = Interpreter as unknown as new (scope: Scope) => LibraryInterpreter;

/** Returns an empty scope, without the library's own globals. */
export function newScope(): Scope {
  return new Environment() as unknown as Scope;
}

/** Parses a template; tags that are alone on a line leave no empty line. */
export function parseJinja(text: string): TemplateNode {
  return parse(tokenize(text, { lstrip_blocks: true, trim_blocks: true })) as unknown as TemplateNode;
}

/** Turns a JSON value, or a function of JSON values, into a value of a template. */
export function toValue(input: unknown): Value {
  return (new Environment() as unknown as { set(name: string, value: unknown): Value }).set('value', input);
}

type ValueClass<Content> = new (value?: Content) => Value;
const classOf = <Content>(sample: unknown): ValueClass<Content> => toValue(sample).constructor as ValueClass<Content>;

const IntegerValue = classOf<number>(1);
const FloatValue = classOf<number>(1.5);
const StringValue = classOf<string>('');
const BooleanValue = classOf<boolean>(true);
const ArrayValue = classOf<Value[]>([]);
const UndefinedValue = classOf<undefined>(undefined);

export const integer = (value: number): Value => new IntegerValue(value);
export const float = (value: number): Value => new FloatValue(value);
export const text = (value: string): Value => new StringValue(value);
export const boolean = (value: boolean): Value => new BooleanValue(value);
export const list = (values: Value[]): Value => new ArrayValue(values);
export const undefinedValue = (): Value => new UndefinedValue();

const isOf =
  (...types: string[]) =>
  (value: Value | undefined): boolean =>
    value !== undefined && types.includes(value.type);
type Guard<Content> = (value: Value | undefined) => value is Value & { value: Content };

export const isText = isOf('StringValue') as Guard<string>;
export const isInteger = isOf('IntegerValue') as Guard<number>;
export const isNumber = isOf('IntegerValue', 'FloatValue') as Guard<number>;
export const isBoolean = isOf('BooleanValue') as Guard<boolean>;
export const isList = isOf('ArrayValue', 'TupleValue') as Guard<Value[]>;
export const isMapping = isOf('ObjectValue', 'NamespaceValue', 'KeywordArgumentsValue') as Guard<Map<string, Value>>;
export const isNull = isOf('NullValue');
export const isUndefined = isOf('UndefinedValue');
export const isFunction = isOf('FunctionValue');
