import type { ReflectionSpec } from '../../../src/domain/spec/spec';
import { ScriptedLoops } from './scripted-loops';

const generator = { action: 'llm.call' as const, prompt: 'Say when the meeting is.' };
const tuesday = { type: 'regex' as const, pattern: 'Tuesday' };
const codeOf = (request: string, label: string): string =>
  new RegExp(`<<<${label} ([0-9a-f]+)`).exec(request)?.[1] ?? 'no code';

describe('what is not the text', () => {
  let loops: ScriptedLoops;
  beforeAll(async () => {
    loops = await ScriptedLoops.start();
  });
  afterAll(() => loops?.close());
  const run = (spec: Partial<ReflectionSpec>, replies: Parameters<ScriptedLoops['run']>[1]) =>
    loops.run({ generator, evaluator: tuesday, maxIterations: 2, ...spec }, replies);

  describe('markers of the prompt', () => {
    test.each(['full_rewrite', 'incremental', 'targeted_edit'] as const)(
      'are no part of a version that is made by %s',
      async (strategy) => {
        const { result } = await run({ revision: { strategy } }, [
          'On Monday.',
          (request) => {
            const code = codeOf(request, 'OUTPUT');
            return `<<<OUTPUT ${code}\nOn Tuesday.\n${code} OUTPUT>>>`;
          },
        ]);
        expect(result.finalOutput).toBe('On Tuesday.');
        expect(result.history.versions[1]!.warnings).toEqual([expect.stringMatching(/copied markers of its prompt/)]);
      },
    );

    test('whose code is left make a version fail, and no evaluator is asked about it', async () => {
      const { result } = await run({ revision: { strategy: 'full_rewrite' } }, [
        'On Monday.',
        (request) => `As ${codeOf(request, 'OUTPUT')} says: on Tuesday.`,
      ]);
      expect(result).toMatchObject({ success: false, finalOutput: 'On Monday.' });
      const { evaluation } = result.history.versions[1]!;
      expect(evaluation).toMatchObject({ outcome: 'fail', overallScore: 0, evaluators: [] });
      expect(evaluation.issues).toMatchObject([{ message: expect.stringMatching(/holds a code of its prompt/) }]);
    });
  });
});
