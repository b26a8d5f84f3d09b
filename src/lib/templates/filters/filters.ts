import { boolean, isInteger, isUndefined, text, type Value } from '../jinja-library';
import { argument, type Filter, type FilterCall } from './filter-call';
import { LIST_FILTERS } from './filters-list';
import { NUMBER_FILTERS } from './filters-number';
import { TEXT_FILTERS } from './filters-text';
import { jsonText } from '../printing';

/**
 * The filter that leaves the markers out: the author of a prompt vouches with it for a model's text, which is printed as it is.
 */
export const UNFENCED = 'unfenced';
/** The opposite filter: the text is put between markers, whatever its author. */
export const FENCED = 'fenced';

const VALUE_FILTERS: Record<string, Filter> = {
  default: orDefault,
  d: orDefault,
  tojson: toJson,
  json: toJson,
  [UNFENCED]: (call) => call.operand,
  [FENCED]: (call) => call.operand,
};

/** Filters that say themselves what an undefined value means; for the others it is an empty text. */
export const FILTERS_OF_UNDEFINED: ReadonlySet<string> = new Set(['default', 'd', 'tojson', 'json']);

/** Every filter by name. A Map, so that `constructor` is not one of them. */
export const FILTERS: ReadonlyMap<string, Filter> = new Map(
  Object.entries({ ...VALUE_FILTERS, ...TEXT_FILTERS, ...LIST_FILTERS, ...NUMBER_FILTERS }),
);

function toJson(call: FilterCall): Value {
  const indent = argument(call, 0, 'indent');
  return text(
    jsonText(call.operand, {
      indent: isInteger(indent) ? Math.min(Math.max(indent.value, 0), 16) : undefined,
      ensureAscii: call.named.get('ensure_ascii')?.__bool__().value,
      sortKeys: call.named.get('sort_keys')?.__bool__().value,
    }),
  );
}

function orDefault(call: FilterCall): Value {
  const alsoWhenFalse = (argument(call, 1, 'boolean') ?? boolean(false)).__bool__().value;
  const isMissing = isUndefined(call.operand) || (alsoWhenFalse && !call.operand.__bool__().value);
  return isMissing ? (argument(call, 0, 'default_value') ?? text('')) : call.operand;
}
