import { float, integer, isBoolean, isInteger, isNumber, isText, type Value } from '../jinja-library';
import { argument, type Filter, type FilterCall, textArgument, wholeNumber } from './filter-call';
import { kindOf } from '../operators';
import { TemplateFailed } from '../limits';

/** Filters that make numbers. */
export const NUMBER_FILTERS: Record<string, Filter> = {
  int: (call) => {
    const found = numberIn(call.operand);
    return found === undefined ? (argument(call, 0, 'default') ?? integer(0)) : integer(Math.trunc(found));
  },
  float: (call) => {
    const found = numberIn(call.operand);
    return found === undefined ? (argument(call, 0, 'default') ?? float(0)) : float(found);
  },
  round: (call) => {
    const factor = 10 ** wholeNumber(call, 0, 'precision', 0);
    const scaled = needNumber(call) * factor;
    const method = textArgument(call, 1, 'method') ?? 'common';
    const rounded =
      method === 'ceil' ? Math.ceil(scaled) : method === 'floor' ? Math.floor(scaled) : halfToEven(scaled);
    return float(rounded / factor);
  },
  abs: (call) => {
    const size = Math.abs(needNumber(call));
    return isInteger(call.operand) ? integer(size) : float(size);
  },
};

function numberIn(value: Value): number | undefined {
  if (isNumber(value)) return value.value;
  if (isBoolean(value)) return Number(value.value);
  if (!isText(value) || !/^\s*[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?\s*$/i.test(value.value)) return undefined;
  const parsed = Number(value.value);
  return Number.isFinite(parsed) ? parsed : undefined;
}

function needNumber(call: FilterCall): number {
  if (isNumber(call.operand)) return call.operand.value;
  throw new TemplateFailed(`filter "${call.name}" needs a number, not ${kindOf(call.operand)}`);
}

/** Rounds halves to the even neighbour, as Python does. */
function halfToEven(value: number): number {
  const floor = Math.floor(value);
  if (value - floor !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}
