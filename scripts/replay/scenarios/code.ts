import type { Scenario } from '../scenario';

/** Inline code as every part of a loop. */
export const code: Scenario[] = [
  {
    name: 'inline-code',
    ends: 'quality_met',
    spec: {
      state: { wanted: 2 },
      generator: { language: 'javascript', run: 'return ["a"]' },
      evaluator: { type: 'custom', language: 'javascript', run: 'return [output.length >= wanted, "too few"]' },
      corrector: { language: 'javascript', run: 'return [...output, "more"]' },
    },
  },
  {
    name: 'inline-code-that-fails',
    ends: 'blocked',
    spec: {
      generator: { language: 'javascript', run: 'return "draft"' },
      evaluator: { type: 'custom', language: 'javascript', run: 'return missing.name' },
    },
  },
  {
    name: 'inline-draft-that-fails',
    ends: 'StepFailed',
    spec: {
      generator: { language: 'javascript', run: 'throw new Error("no ink")' },
      evaluator: { type: 'schema', schema: true },
    },
  },
];
