import type { TypedProblem } from '../../lib/base/spec-problem';
import type { Issue } from '../../loop/contract/evaluation';
import type { CallsEvaluator } from '../../loop/contract/evaluators';
import { shownText } from '../../lib/names/protocol-text';
import { oneLine } from '../../lib/text/summary-text';
import { callLine } from '../../loop/evidence/evidence-text';
import { namedCall } from '../../loop/evidence/call-rules';
import type { CallRecord } from '../../loop/contract/calls';
import { brokenJudgement, makeJudgement } from '../judgement';
import { problemsOfSchema } from '../schema/schema';
import type { EvaluationContext, EvaluatorKind, ProblemContext } from '../types';
import { schemaCheck } from './call-checks';
import {
  barredCall,
  type Compared,
  type Evidence,
  type Finding,
  isMade,
  misplacedCall,
  requiredCall,
  tooManyCalls,
} from './matching';

const LINE = 200;

interface Rule {
  type: string;
  find: () => Promise<Finding | undefined> | Finding | undefined;
}

/** Judges an output by the calls that were made on the way to it: 1 if every rule holds, else the share of those that do. */
export const callsEvaluator: EvaluatorKind<CallsEvaluator> = {
  type: 'calls',

  async problems(config, { schemaFolder }) {
    return [...rulesMistakes(config), ...(await schemaMistakes(config, schemaFolder))];
  },

  async evaluate(config, { output, evidence }, context) {
    context.signal.throwIfAborted();
    const { calls = [], callsOmitted: omitted = 0 } = evidence ?? {};
    const compared = { output, check: schemaCheck(context.schemaFolder, config.name ?? 'calls') };
    const found: string[] = [];
    const note = (call: string): void => void found.push(oneLine(shownText(call), LINE));
    const rules = rulesOf(config, { calls, omitted }, compared, await changesOf(config, calls, context), note);
    const issues: Issue[] = [];
    const unknown: string[] = [];
    for (const { type, find } of rules) {
      const finding = await find();
      if (!finding) continue;
      const { message, suggestion, isUnknown } = finding;
      if (isUnknown) unknown.push(message);
      else
        issues.push({ message, path: '', severity: 'major', suggestion, type, evaluator: config.name ?? config.type });
    }
    if (issues.length === 0 && unknown.length > 0) return brokenJudgement(`${unknown.join('; ')}.`);
    const share = (rules.length - issues.length - unknown.length) / rules.length;
    return makeJudgement(issues.length === 0, { issues, score: share, checksPassed: share, found });
  },
};

function typesOf(rule: string, names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  return names.map((name) => {
    const number = (counts.get(name) ?? 0) + 1;
    counts.set(name, number);
    return `${rule}: ${name}${number === 1 ? '' : ` (${number})`}`;
  });
}

/** `isChange`: the call may not come after the required ones, unless one of them makes it. */
function rulesOf(
  { must = [], mustNot = [], order, atMost = {}, after = false }: CallsEvaluator,
  evidence: Evidence,
  compared: Compared,
  isChange: (record: CallRecord) => boolean,
  note: (call: string) => void,
): Rule[] {
  const required = must.map(namedCall);
  const barred = mustNot.map(namedCall);
  const listsChanges = typeof after === 'object' && after.calls !== undefined;
  const requiredTypes = typesOf(
    'must',
    required.map(({ name }) => name),
  );
  const barredTypes = typesOf(
    'must_not',
    barred.map(({ name }) => name),
  );
  return [
    ...required.map((entry, index) => {
      const others = listsChanges ? [] : required.filter(({ name }) => name !== entry.name);
      const mayNotFollow = (record: CallRecord): boolean =>
        isMade(record) && isChange(record) && !others.some(({ name }) => name === record.name);
      const find = async (): Promise<Finding | undefined> => {
        const answer = await requiredCall(entry, evidence, compared, mayNotFollow);
        if ('missing' in answer) return answer.missing;
        note(callLine(answer.found));
        return undefined;
      };
      return { type: requiredTypes[index]!, find };
    }),
    ...barred.map((entry, index) => ({
      type: barredTypes[index]!,
      find: () => barredCall(entry, evidence, compared.check),
    })),
    ...(order ? [{ type: 'order', find: () => misplacedCall(order, evidence) }] : []),
    ...Object.entries(atMost).map(([name, most]) => ({
      type: `at_most: ${name}`,
      find: () => tooManyCalls(name, most, evidence),
    })),
  ];
}

async function changesOf(
  { after = false }: CallsEvaluator,
  calls: readonly CallRecord[],
  { actions, signal }: EvaluationContext,
): Promise<(record: CallRecord) => boolean> {
  if (after === false) return () => false;
  const listed = typeof after === 'object' ? after.calls : undefined;
  if (listed) return ({ name }) => listed.includes(name);
  await actions.learn([...new Set(calls.map(({ name }) => name))], signal);
  return ({ name }) => actions.find(name)?.readOnly !== true;
}

function rulesMistakes({ must, mustNot = [], order, atMost, after }: CallsEvaluator): TypedProblem[] {
  const problems: TypedProblem[] = [];
  if (!must && mustNot.length === 0 && !order && Object.keys(atMost ?? {}).length === 0) {
    problems.push({
      path: '/must',
      message: 'is missing, and so are `mustNot`, `order` and `atMost`: give one of them',
    });
  }
  if (!must && after !== undefined && after !== false) {
    problems.push({ path: '/after', message: 'is about the calls of `must`, of which there are none' });
  }
  const required = new Set([...(must ?? []).map((entry) => namedCall(entry).name), ...(order ?? [])]);
  for (const [index, entry] of mustNot.entries()) {
    const { name, arguments: ofArguments, result } = namedCall(entry);
    if (!required.has(name) || ofArguments !== undefined || result !== undefined) continue;
    problems.push({
      path: `/mustNot/${index}`,
      message: `is "${name}", which must be called by another rule: remove one`,
    });
  }
  return problems;
}

async function schemaMistakes(
  { must = [], mustNot = [] }: CallsEvaluator,
  schemaFolder: ProblemContext['schemaFolder'],
): Promise<TypedProblem[]> {
  const entries = Object.entries({ must, mustNot }).flatMap(([field, list]) =>
    list.map((entry, index) => ({ path: `/${field}/${index}`, entry: namedCall(entry) })),
  );
  const problems: TypedProblem[] = [];
  for (const { path, entry } of entries) {
    for (const key of ['arguments', 'result'] as const) {
      const schema = entry[key];
      const found = schema === undefined ? [] : await problemsOfSchema({ schema, schemaFolder });
      problems.push(...found.map(({ path: inner, message }) => ({ path: `${path}/${key}${inner}`, message })));
    }
  }
  return problems;
}
