import { sha256 } from '../../lib/base/sha256';
import type { JsonObject } from '../../lib/json/json';
import { jsonPointer } from '../../lib/json/json-pointer';
import type { CallsEvaluator, Evaluator } from '../contract/evaluators';
import type { RequiredCall } from '../contract/required-calls';
import { evaluatorTraits } from '../spec/evaluator-traits';

/** A rule with the name of its call: the key is `name` or `call`. */
export type NamedCall = Omit<RequiredCall, 'call'> & { name: string };

export function namedCall(entry: string | RequiredCall): NamedCall {
  if (typeof entry === 'string') return { name: entry };
  const { call = '', name = call, ...conditions } = entry;
  return { name, ...conditions };
}

export function callRules(evaluator: Evaluator): (NamedCall & { path: string })[] {
  if (evaluatorTraits(evaluator.type).evidence !== 'checked') return [];
  const { must = [], mustNot = [], order = [], atMost = {}, after } = evaluator as CallsEvaluator;
  const later = typeof after === 'object' ? (after.calls ?? []) : [];
  const lists = { '/must': must, '/mustNot': mustNot, '/order': order, '/after/calls': later };
  return [
    ...Object.entries(lists).flatMap(([path, entries]) =>
      entries.map((entry, index) => ({ ...namedCall(entry), path: `${path}/${index}` })),
    ),
    ...Object.keys(atMost).map((name) => ({ name, path: `/atMost${jsonPointer([name])}` })),
  ];
}

export function checkKey(part: 'arguments' | 'result', schema: JsonObject | boolean): string {
  return `${part}:${sha256(JSON.stringify(schema)).slice(0, 16)}`;
}
