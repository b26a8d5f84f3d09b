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
    name: 'inline-hooks',
    ends: 'stopped',
    spec: {
      generator: { language: 'javascript', run: 'return reflection_iteration' },
      evaluator: { type: 'schema', schema: { type: 'integer', minimum: 9 } },
      hooks: {
        onGeneration: { language: 'javascript', run: 'return missing.name' },
        onReflection: { language: 'javascript', run: 'return output === 2 ? "stop" : "continue"' },
      },
      maxIterations: 5,
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
