import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { judgeFindings, readKnownOutputs } from '../../../../src/apps/cli/worker/judge-findings';
import { requestsOf } from '../../../../src/apps/testing/scripted-model/ledger';
import type { ScriptEntry, ScriptedRequest } from '../../../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../../../src/apps/testing/scripted-model/server';
import type { Finding } from '../../../../src/apps/cli/worker/model-findings';

const before = { ...process.env };
let cache: string;
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'reflect-judges-'));
  process.env['XDG_CACHE_HOME'] = cache;
});
afterEach(() => {
  rmSync(cache, { recursive: true, force: true });
  delete process.env['XDG_CACHE_HOME'];
  Object.assign(process.env, before);
});

const promptOf = ({ body }: ScriptedRequest): string => body.messages.map(({ content }) => content).join('\n');

/** Answers each question of a checklist in the same way. */
function answered(request: ScriptedRequest, answer: 'yes' | 'no'): ScriptEntry {
  const last = Math.max(...[...promptOf(request).matchAll(/\bq(\d+)\b/g)].map(([, number]) => Number(number)));
  const answers = Array.from({ length: last }, (_, index) => ({ question: `q${index + 1}`, finding: 'so', answer }));
  return { reply: { answers, confidence: 1 } };
}

/** Tries a judge that is played by a function, and returns what was found and how many calls it took. */
async function tried(
  script: (request: ScriptedRequest) => ScriptEntry,
  name?: string,
): Promise<{ findings: Finding[]; calls: number; models: Set<string> }> {
  const server = await ScriptedOpenAI.start({ script });
  try {
    const configs = ['writer', 'judge'].map((each) => ({ name: each, model: `${each}-1`, baseUrl: server.baseUrl }));
    const findings = await judgeFindings(configs, name);
    const requests = requestsOf(server.ledger);
    return { findings, calls: requests.length, models: new Set(requests.map(({ body }) => body!.model)) };
  } finally {
    await server.close();
  }
}

const kept = (): unknown[] => {
  const text = readFileSync(join(cache, 'durable-reflection', 'judges.json'), 'utf8');
  return Object.entries(JSON.parse(text) as object);
};

describe('reflect doctor --judge', () => {
  let wrong: string[];
  beforeAll(async () => {
    const known = await readKnownOutputs();
    expect(known.map(({ label }) => label)).toEqual(Array.from({ length: 6 }, () => [true, false]).flat());
    wrong = known.filter(({ label }) => !label).map(({ request }) => JSON.stringify(request.data).slice(1, -1));
    expect(new Set(wrong).size).toBe(6);
  });

  /** Looks for a wrong output in a request. */
  const isWrong = (request: ScriptedRequest): boolean => {
    const said = JSON.stringify(promptOf(request));
    return wrong.some((output) => said.includes(output));
  };

  test('given a judge that knows, it is reliable, and the result is kept', async () => {
    const { findings, calls, models } = await tried(
      (request) => answered(request, isWrong(request) ? 'no' : 'yes'),
      'judge',
    );
    expect([calls, [...models]]).toEqual([12, ['judge-1']]);
    expect(findings).toEqual([
      {
        well: true,
        text: expect.stringMatching(
          /^Judge judge-1 at http:\/\/127\.0\.0\.1:\d+\/v1: right for 12\/12 \(\d+–100 %\) outputs .*; 0 of 6 wrong ones passed, 0 of 6 right ones failed$/,
        ) as string,
        advice: expect.any(String) as string,
      },
    ]);
    expect(kept()).toEqual([
      [
        expect.stringMatching(/^judges@1 http:\/\/127\.0\.0\.1:\d+\/v1 judge-1$/),
        { at: expect.any(String) as string, right: 12, of: 12, falsePasses: 0, falseFails: 0, unjudged: 0 },
      ],
    ]);
  });

  test.each<[string, (request: ScriptedRequest) => ScriptEntry, object, RegExp]>([
    [
      'passes everything',
      (request) => answered(request, 'yes'),
      { right: 6, falsePasses: 6, falseFails: 0, unjudged: 0 },
      /6\/12 .*6 of 6 wrong ones passed, 0 of 6 right ones failed$/,
    ],
    [
      'fails everything',
      (request) => answered(request, 'no'),
      { right: 6, falsePasses: 0, falseFails: 6, unjudged: 0 },
      /6\/12 .*0 of 6 wrong ones passed, 6 of 6 right ones failed$/,
    ],
    [
      'cannot be understood',
      () => ({ reply: 'I like it.', asWritten: true }),
      { right: 0, falsePasses: 0, falseFails: 0, unjudged: 12 },
      /0\/12 .*12 could not be judged$/,
    ],
  ])('given a judge that %s, another one is advised', async (_what, script, record, text) => {
    const { findings, calls, models } = await tried(script);
    expect([calls, [...models]]).toEqual([12, ['writer-1']]);
    expect(findings).toEqual([
      {
        well: false,
        text: expect.stringMatching(text) as string,
        advice: expect.stringContaining('another model as judge') as string,
      },
    ]);
    expect(kept()).toEqual([[expect.any(String), expect.objectContaining(record)]]);
  });

  test('given a judge that is wrong now and then, it warns', async () => {
    let passed = 0;
    const { findings } = await tried((request) =>
      answered(request, isWrong(request) && (passed += 1) > 3 ? 'no' : 'yes'),
    );
    expect(findings).toMatchObject([
      { well: true, isDoubtful: true, text: expect.stringMatching(/9\/12 .*3 of 6 wrong ones passed/) as string },
    ]);
  });

  test('given an endpoint that refuses, nothing is kept, and few calls are made', async () => {
    const { findings, calls } = await tried(() => ({ status: 401 }));
    expect(findings).toMatchObject([
      { well: false, text: expect.stringMatching(/^A judgement of writer-1 fails as Model\.Unauthorized/) as string },
    ]);
    expect(calls).toBeLessThanOrEqual(4);
    expect(kept).toThrow('ENOENT');
  });

  test('given a cache that cannot be written, the result is told all the same', async () => {
    process.env['XDG_CACHE_HOME'] = '/dev/null';
    const { findings } = await tried((request) => answered(request, 'yes'));
    expect(findings).toMatchObject([
      { well: false },
      { well: true, isDoubtful: true, text: expect.stringContaining('is not kept') as string },
    ]);
  });
});
