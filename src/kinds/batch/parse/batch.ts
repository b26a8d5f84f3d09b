import { batchSpec, type BatchSpec } from '../contract/batch';
import { isJsonObject } from '../../../lib/json/json';
import type { SpecProblem } from '../../../lib/contract/spec-problem';
import { moveBelow, readForm } from '../../../lib/contract/form-problems';
import { parseSpec } from '../../../loop/parse/spec';
import { omitNulls } from '../../../loop/spec/omit-nulls';

export function parseBatch(given: unknown): { spec: BatchSpec } | { problems: SpecProblem[] } {
  if (!isJsonObject(given)) return { problems: [{ path: '', message: 'a batch must be a JSON object' }] };
  const value = omitNulls(given);
  const form = readForm(batchSpec, value);
  const loop = value['loop'] === undefined ? undefined : parseSpec(value['loop']);
  const problems = [
    ...form.problems,
    ...(loop === undefined ? [{ path: '/loop', message: 'is required' }] : []),
    ...(loop && 'problems' in loop ? loop.problems.map(moveBelow('/loop')) : []),
  ];
  if (!form.data || problems.length > 0) return { problems };
  return { spec: loop && 'spec' in loop ? { ...form.data, loop: loop.spec } : form.data };
}
