import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { requestsOf } from '../../src/apps/testing/scripted-model/ledger';
import type { ScriptedRequest, ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { eventually } from '../../testing/support/eventually';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';

type Finding = {
  message: string;
  quote?: string;
  severity?: string;
  finding?: string | null;
  contradicts?: string | null;
};
const fails = (issues: Finding[], ...fixed: string[]) => ({ valid: false, score: 0.5, issues, fixed_findings: fixed });

const spec: ReflectionSpec = {
  generator: { action: 'llm.call', prompt: 'WRITE about a chair.' },
  evaluator: { type: 'llm', name: 'critic', prompt: 'LOOK at this:' },
  judge: { docket: true },
  maxIterations: 8,
  convergence: false,
};

describe('judges that keep a docket of their findings', () => {
  let scripted: ScriptedOpenAI;
  let world: LoopWorld;
  let texts: string[] = [];
  let verdicts: object[] = [];
  /** Answers about disputes: which position is right. */
  let looks: string[] = [];

  function answer({ last }: ScriptedRequest): ScriptEntry {
    if (last.includes('Two people disagree'))
      return { reply: { better: looks.shift(), margin: 'clear', reason: 'so' } };
    if (last.includes('LOOK')) return { reply: verdicts.shift() };
    return { reply: texts.shift() };
  }

  beforeAll(async () => {
    scripted = await ScriptedOpenAI.start({ script: answer });
    world = await startWorld({ models: [{ name: 'm', model: 'm', baseUrl: scripted.baseUrl }] });
  });
  afterAll(async () => {
    await world?.close();
    await scripted?.close();
  });

  /** The prompts of a kind since a call, the earliest first. */
  const prompts = (word: string, since: number): string[] =>
    requestsOf(scripted.ledger)
      .slice(since)
      .map(({ body }) => body!.messages.map(({ content }) => content).join('\n'))
      .filter((prompt) => prompt.includes(word));
  const play = async (
    given: { texts: string[]; verdicts: object[]; looks?: string[] },
    more: Partial<ReflectionSpec> = {},
  ) => {
    ({ texts, verdicts } = given);
    looks = given.looks ?? [];
    const since = requestsOf(scripted.ledger).length;
    const result = await world.client.run({ ...spec, ...more });
    return { result, since };
  };

  test('a reviewer who wants a repair taken back: the second look decides in both orders, and the loop ends', async () => {
    const { result, since } = await play({
      texts: ['A folding chair for the garden.', 'A light folding chair for the garden.'],
      verdicts: [
        fails([{ message: 'It does not say that it is light.', quote: 'A folding chair', severity: 'major' }]),
        fails(
          [{ message: 'The word is praise.', quote: 'A light folding', severity: 'major', contradicts: 'F1' }],
          'F1',
        ),
      ],
      looks: ['first', 'first'],
    });
    expect(result).toMatchObject({ convergenceReason: 'plateau', settled: true, success: false, iterationsUsed: 2 });
    // The model preferred a place, not a position: both orders must agree for a finding to stand.
    expect(prompts('Two people disagree', since)).toHaveLength(2);
    expect(result.report.issues).toMatchObject([
      { finding: 'F1', state: 'fixed', fate: 'resolved' },
      { finding: 'F2', state: 'contested', fate: 'unresolved' },
    ]);
    expect(result.tokenUsage.modelCalls).toBe(6);
  });

  test('a reviewer who is right about a repair: it stands, is repaired, and is not looked at again', async () => {
    const { result, since } = await play(
      {
        texts: ['A folding chair.', 'A light folding chair.', 'A folding chair of 2 kg.'],
        verdicts: [
          fails([{ message: 'It does not say that it is light.', quote: 'A folding chair', severity: 'major' }]),
          fails([{ message: 'The word is praise.', quote: 'light', severity: 'major', contradicts: 'F1' }], 'F1'),
          fails([{ message: 'It does not say that it is light.', finding: 'F1', severity: 'major' }], 'F2'),
        ],
        looks: ['first'],
      },
      { judge: { docket: true, second: { type: 'llm', name: 'other', prompt: 'CONFIRM' } } },
    );
    expect(prompts('Two people disagree', since)).toHaveLength(1);
    expect(result).toMatchObject({ convergenceReason: 'plateau', settled: true, iterationsUsed: 3 });
    expect(result.report.issues).toMatchObject([
      { finding: 'F1', state: 'contested' },
      { finding: 'F2', state: 'fixed' },
    ]);
  });

  test('a reviewer who rewords: one finding, and what is minor and late ends the loop', async () => {
    const quote = 'for the garden';
    const { result, since } = await play({
      texts: [
        'A chair for the garden.',
        'A stable chair for the garden.',
        'A good chair for the garden.',
        'A good chair.',
      ],
      verdicts: [
        fails([{ message: 'The garden is not asked for.', quote, severity: 'major' }]),
        fails([{ message: 'Nobody asked for the garden here.', quote, severity: 'major' }]),
        fails([{ message: 'Gardens are not what was asked for.', quote, severity: 'minor' }]),
        fails([{ message: 'Another word would be nicer.', quote: 'A good  chair', severity: 'minor' }], 'F1'),
      ],
    });
    expect(result).toMatchObject({ convergenceReason: 'plateau', settled: true, success: false, iterationsUsed: 4 });
    expect(result.report.issues).toMatchObject([
      { finding: 'F1', state: 'fixed', firstSeen: 1, lastSeen: 3, message: 'The garden is not asked for.' },
      { finding: 'F2', state: 'open', firstSeen: 4 },
    ]);
    expect(result.report.issues).toHaveLength(2);
    const [first, later] = prompts('LOOK', since);
    expect(first).not.toContain('FINDINGS');
    expect(later).toMatch(/<<<FINDINGS \w+\nF1 \(open, major\): The garden is not asked for\. – “for the garden”\n/);
  });

  test('a person waives what is left: the version is judged again without a revision, and the judge knows', async () => {
    texts = ['A chair.'];
    verdicts = [
      fails([{ message: 'It has no picture.', quote: 'A chair', severity: 'major' }]),
      { ...fails([]), valid: true, score: 0.9 },
    ];
    const since = requestsOf(scripted.ledger).length;
    const { workflowId } = await world.client.start({ ...spec, review: { when: 'on_exhausted' }, maxIterations: 1 });
    await eventually(
      () => world.client.progress(workflowId),
      ({ phase }) => phase === 'waiting',
    );
    await expect(world.client.guide(workflowId, { waive: ['F7'] })).rejects.toThrow(
      /there is no finding F7; there are F1/,
    );
    await world.client.guide(workflowId, { waive: ['F1'], by: 'Robin' });
    const result = await world.client.result(workflowId);
    expect(result).toMatchObject({ convergenceReason: 'quality_met', success: true, iterationsUsed: 1 });
    expect(result.report.issues).toMatchObject([{ finding: 'F1', state: 'waived' }]);
    const [, again] = prompts('LOOK', since);
    expect(again).toContain('F1 (waived, major): It has no picture.');
    expect(prompts('WRITE', since)).toHaveLength(1);
  });

  test('an author who declines a point with a reason: the second look decides, and its line is no part of the text', async () => {
    const heavy = { message: 'It does not say that it is light.', quote: 'chair', severity: 'major' };
    const { result, since } = await play({
      texts: ['A chair of 9 kg.', 'A chair of 9 kg, for the garden.\n\nDECLINED F1: It weighs 9 kg.'],
      verdicts: [
        fails([heavy, { message: 'For which place?', quote: '9 kg', severity: 'major' }]),
        fails([{ ...heavy, finding: 'F1' }], 'F2'),
      ],
      looks: ['second'],
    });
    expect(prompts('end your reply with a line', since)[0]).toContain('- F1: It does not say that it is light.');
    expect(prompts('Two people disagree', since)).toEqual([
      expect.stringMatching(/This is right as it is: It weighs 9 kg\./),
    ]);
    expect(result).toMatchObject({ settled: true, iterationsUsed: 2, finalOutput: 'A chair of 9 kg, for the garden.' });
    expect(result.report.issues).toMatchObject([
      { finding: 'F1', state: 'contested' },
      { finding: 'F2', state: 'fixed' },
    ]);
  });
});
