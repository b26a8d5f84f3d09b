import type { Json } from '../../lib/json/json';
import { jsonOrText } from '../../lib/json/json-or-text';
import type { CallRecord } from '../../loop/contract/calls';
import type { BarredCall } from '../../loop/contract/required-calls';
import { checkKey } from '../../loop/evidence/call-rules';
import { judgeOutput } from '../schema/schema';
import type { EvaluationContext } from '../types';
import type { SchemaCheck } from './matching';

/** Builds the check of a part of a call by a schema: exact, without conversions. */
export function schemaCheck(schemaFolder: EvaluationContext['schemaFolder'], name: string): SchemaCheck {
  return async (schema, output) => {
    const judged = await judgeOutput({ schema, schemaFolder, output, coerce: false, exact: true, name });
    if (judged.outcome === 'pass') return undefined;
    if (judged.outcome === 'inconclusive') return { problem: judged.reason ?? '', isUnknown: true };
    return { problem: (judged.issues[0]?.message ?? '').replace(/^the output: /, '') };
  };
}

/** Checks a call by the conditions of rules about it, before its record is shortened and secrets are hidden; without undecided ones. */
export async function checkCall(
  rules: readonly Pick<BarredCall, 'arguments' | 'result'>[],
  call: { arguments: string; result: string },
  check: SchemaCheck,
): Promise<NonNullable<CallRecord['checks']>> {
  const checks: NonNullable<CallRecord['checks']> = {};
  const values: Record<'arguments' | 'result', Json> = {
    arguments: call.arguments.trim() === '' ? {} : jsonOrText(call.arguments),
    result: jsonOrText(call.result),
  };
  for (const rule of rules) {
    for (const part of ['arguments', 'result'] as const) {
      const schema = rule[part];
      const found = schema === undefined ? undefined : await check(schema, values[part]);
      if (schema !== undefined && !found?.isUnknown) checks[checkKey(part, schema)] = found === undefined;
    }
  }
  return checks;
}
