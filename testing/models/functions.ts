import { z } from 'zod';
import { type Action, defineAction } from '../../src/worker';
import { codeProblems, codeTest } from './checks/code';
import { ruleProblems, textRules } from './checks/rules';

/** Issues that one check reports: a prompt of all that is wrong helps no model. */
const MOST_ISSUES = 8;

function verdict(
  problems: readonly string[],
  checks: number,
): { valid: boolean; score: number; errors: { message: string }[] } {
  return {
    valid: problems.length === 0,
    score: checks === 0 ? 1 : Math.max(0, 1 - problems.length / checks),
    errors: problems.slice(0, MOST_ISSUES).map((message) => ({ message })),
  };
}

function textOf(output: unknown): string {
  return typeof output === 'string' ? output : JSON.stringify(output);
}

/** The functions with which tasks check outputs, as a worker would register them. */
export const FUNCTIONS: Action[] = [
  defineAction({
    name: 'text.rules',
    description: 'Whether a text keeps rules that can be counted.',
    input: z.strictObject({ output: z.unknown(), rules: textRules }),
    local: true,
    run({ output, rules }) {
      const found = ruleProblems(textOf(output), rules);
      return verdict(found.problems, found.rules);
    },
  }),
  defineAction({
    name: 'code.tests',
    description: 'Whether JavaScript passes tests.',
    input: z.strictObject({ output: z.unknown(), name: z.string(), tests: z.array(codeTest) }),
    run: async ({ output, name, tests }) => verdict(await codeProblems(textOf(output), name, tests), tests.length),
  }),
];
