import type { ReflectionSpec } from '../../../src/loop/contract/spec';
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
  /** A note that somebody else wrote, which the prompt of the draft shows between markers. */
  const noted = {
    state: { note: 'We meet again.' },
    material: ['note'],
    generator: { ...generator, prompt: `${generator.prompt} {{ state.note }}` },
  };

  describe('markers of the prompt', () => {
    test.each(['full_rewrite', 'incremental', 'targeted_edit'] as const)(
      'are no part of a version that is made by %s',
      async (strategy) => {
        const { result } = await run({ ...noted, revision: { strategy } }, [
          'On Monday.',
          (request) => {
            const code = codeOf(request, 'MATERIAL');
            return `<<<OUTPUT ${code}\nOn Tuesday.\n${code} OUTPUT>>>`;
          },
        ]);
        expect(result.finalOutput).toBe('On Tuesday.');
        expect(result.history.versions[1]!.warnings).toEqual([expect.stringMatching(/copied markers of its prompt/)]);
      },
    );

    test('whose code is left make a version fail, and no evaluator is asked about it', async () => {
      const { result } = await run({ ...noted, revision: { strategy: 'full_rewrite' } }, [
        'On Monday.',
        (request) => `As ${codeOf(request, 'MATERIAL')} says: on Tuesday.`,
      ]);
      expect(result).toMatchObject({ success: false, finalOutput: 'On Monday.' });
      const { evaluation } = result.history.versions[1]!;
      expect(evaluation).toMatchObject({ outcome: 'fail', overallScore: 0, evaluators: [] });
      expect(evaluation.issues).toMatchObject([{ message: expect.stringMatching(/holds a code of its prompt/) }]);
    });
  });

  describe('what stands in place of the text', () => {
    const draft = 'Minutes\n\nWe meet on Monday.\n\n1. The pump is replaced.\n2. Kim asks for prices.';
    const right = draft.replace('Monday', 'Tuesday');
    const lazy = 'Minutes\n\nWe meet on Tuesday.\n\n[rest unchanged]';
    const diff = '@@ -3 +3 @@\n-We meet on Monday.\n+We meet on Tuesday.';

    test.each([
      ['a diff', diff],
      ['a text with a part left out', lazy],
    ])('%s, where edits were asked for, is asked for once more, as a whole', async (_name, reply) => {
      const { result } = await run({ revision: { strategy: 'targeted_edit' } }, [draft, reply, right]);
      expect(result).toMatchObject({ success: true, finalOutput: right, iterationsUsed: 2 });
      expect(result.history.versions[1]!.warnings).toEqual([expect.stringMatching(/could not be applied/)]);
    });

    test.each([
      ['a diff', diff],
      ['a text with a part left out', lazy],
    ])('%s makes a rewrite fail, and is repaired from the version before', async (_name, reply) => {
      const { result } = await run({ revision: { strategy: 'full_rewrite' }, maxIterations: 3 }, [draft, reply, right]);
      expect(result).toMatchObject({ success: true, finalOutput: right, iterationsUsed: 3 });
      expect(result.history.versions[1]!.evaluation).toMatchObject({
        outcome: 'fail',
        issues: [{ message: expect.stringMatching(/[Ww]rite all of it/), severity: 'critical' }],
      });
    });

    test('makes the text of a corrector with a prompt of its own fail, too', async () => {
      const corrector = { action: 'llm.call' as const, prompt: 'Mend: {{ state.reflection_output }}' };
      const { result } = await run({ corrector }, [draft, lazy]);
      expect(result).toMatchObject({ success: false, finalOutput: draft });
    });

    test('is not looked for in a hint', async () => {
      const corrector = {
        action: 'llm.call' as const,
        prompt: 'Advise on: {{ state.reflection_output }}',
        mode: 'hint' as const,
      };
      const { result } = await run({ corrector }, [draft, lazy, right]);
      expect(result).toMatchObject({ success: true, finalOutput: right });
    });
  });

  describe('the part of a reply that a step takes', () => {
    const fenced = (text: string): string => `Here it is:\n\n\`\`\`\n${text}\n\`\`\``;
    const taking = { generator: { ...generator, extract: 'code' as const } };

    test('is the output of a draft and of a rewrite', async () => {
      const { result } = await run({ ...taking, revision: { strategy: 'full_rewrite' } }, [
        fenced('on(Monday);'),
        fenced('on(Tuesday);'),
      ]);
      expect(result.history.versions.map(({ output }) => output)).toEqual(['on(Monday);', 'on(Tuesday);']);
    });

    test('is nothing that edits are read by', async () => {
      const edit = '```\n<<<<<<< SEARCH\non(Monday);\n=======\non(Tuesday);\n>>>>>>> REPLACE\n```';
      const { result } = await run({ ...taking, revision: { strategy: 'targeted_edit' } }, [
        fenced('on(Monday);'),
        edit,
      ]);
      expect(result.finalOutput).toBe('on(Tuesday);');
    });

    test('may be a JSON value', async () => {
      const evaluator = { type: 'schema' as const, schema: { type: 'object', required: ['day'] } };
      const taken = { ...generator, extract: 'json' as const };
      const { result } = await run({ generator: taken, evaluator }, ['Like {"day": "?"}: {"day": "Tuesday"}.']);
      expect(result.finalOutput).toEqual({ day: 'Tuesday' });
    });
  });
});
