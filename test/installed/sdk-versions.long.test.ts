import { execFile, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { helloWorld } from '../../testing/build/installed/hello-world';
import { type NodeVersion, nodeInstalls, nodeOf } from '../../testing/support/node-programs';
import { npm, packedPackage } from '../../testing/support/packed-package';
import { testAddress } from '../../testing/support/temporal-server';

/** npm installs each SDK anew, and a worker bundles workflows. */
jest.setTimeout(300_000);

const PROJECT = path.join(__dirname, '..', '..');
const TSC = path.join(PROJECT, 'node_modules', 'typescript', 'bin', 'tsc');
const TSX = ['--import', pathToFileURL(require.resolve('tsx')).href];
const SDK = ['activity', 'client', 'common', 'worker', 'workflow'];
const sdk = (version: string): string[] => SDK.map((name) => `@temporalio/${name}@${version}`);

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A project with files and packages, compiled with the declarations that the packages ship. */
async function project(files: Record<string, string>, packages: string[]): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'reflect-project-'));
  folders.push(folder);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  writeFileSync(path.join(folder, 'package.json'), '{ "name": "hello-world", "private": true }');
  const install = ['install', '--ignore-scripts', '--prefer-offline', '--save-exact'];
  npm([...install, ...packages, '@types/node@20', await packedPackage()], folder);
  execFileSync(process.execPath, [TSC, '-p', folder]);
  return folder;
}

/** What the program prints, and what its worker logs. */
async function run(
  folder: string,
  environment: NodeJS.ProcessEnv = {},
  [node, ...args]: [string, ...string[]] = [process.execPath, 'lib/worker.js'],
): Promise<{ printed: string; logged: string }> {
  const taskQueue = `hello-${randomUUID()}`;
  const env = { ...process.env, ...environment, TEMPORAL_ADDRESS: testAddress(), TASK_QUEUE: taskQueue };
  const { stdout, stderr } = await promisify(execFile)(node, args, { cwd: folder, env, timeout: 120_000 });
  return { printed: stdout, logged: stderr };
}

/** The versions of the SDK's packages that are installed anywhere in a project, each package once. */
function sdksIn(folder: string): string[] {
  const modules = path.join(folder, 'node_modules');
  const found = readdirSync(modules, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(^|\/)@temporalio\/[\w-]+\/package\.json$/.test(file))
    .map((file) => JSON.parse(readFileSync(path.join(modules, file), 'utf8')) as { name: string; version: string });
  const names = found.map(({ name }) => name).toSorted();
  expect(names).toEqual([...new Set(names)]);
  expect(names).toEqual(expect.arrayContaining(SDK.map((name) => `@temporalio/${name}`)));
  // It depends on no other package, and fits all versions.
  return [...new Set(found.flatMap(({ name, version }) => (name === '@temporalio/plugin' ? [] : [version])))];
}

test('the sample gains a loop in at most 15 lines', () => {
  const lines = Object.values(helloWorld()).flatMap((text) => text.split('\n'));
  expect(lines.filter((line) => line.endsWith('// +')).length).toBeLessThanOrEqual(15);
});

test.each(['1.22.0', '1.23.0', '1.24.0'])(
  'hello-world on SDK %s runs its workflow and a loop that is asked for twice',
  async (version) => {
    const folder = await project(helloWorld(), sdk(version));
    const { printed, logged } = await run(folder);
    const made = '{"greeting":"Hello","name":"Temporal"}';
    expect(printed).toContain('Hello, Temporal!');
    expect(printed).toContain(`[${made},2,${made}]`);
    // A draft and its revision, and nothing for the second request.
    expect(printed).toContain('calls 2');
    expect(sdksIn(folder)).toEqual([version]);
    // Once, though its process has two workers.
    const told = logged.split('the idempotencyKey of an action changes when its run is reset').length - 1;
    expect(told).toBe(version === '1.22.0' ? 1 : 0);
  },
);

/** Examples with Temporal's plugins for agents, the Node.js that each needs at least, and what `npm start` runs. */
const EXAMPLES: [name: string, node: NodeVersion, args: string[]][] = [
  ['openai-agents', 20, ['openai-agents/lib/main.js']],
  ['ai-sdk-agent', 22, [...TSX, 'ai-sdk-agent/main.ts']],
];

/** What an example's package.json makes npm install, but for this package. */
function packagesOf(example: string): string[] {
  const text = readFileSync(path.join(PROJECT, 'examples', example, 'package.json'), 'utf8');
  const { dependencies } = JSON.parse(text) as { dependencies: Record<string, string> };
  const { 'durable-reflection': _ours, ...others } = dependencies;
  return Object.entries(others).map(([name, version]) => `${name}@${version}`);
}

describe("beside Temporal's own AI plugins", () => {
  const imports = `import { AiSdkPlugin } from '@temporalio/ai-sdk';
import { OpenAIAgentsPlugin } from '@temporalio/openai-agents';
import { OpenAIProvider } from '@openai/agents-openai';
import { MockProviderV4, MockLanguageModelV4 } from 'ai/test';
const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } };
const content = [{ type: 'text' as const, text: 'mock says hello' }];
const mock = new MockLanguageModelV4({ doGenerate: { content, finishReason: { unified: 'stop', raw: 'stop' }, usage, warnings: [] } });
const aiSdk = new AiSdkPlugin({ modelProvider: new MockProviderV4({ languageModels: { mock } }) });
const agents = new OpenAIAgentsPlugin({ modelProvider: new OpenAIProvider({ apiKey: 'none', baseURL: process.env['MODEL_URL'], useResponses: false }) });
`;
  const workflows = `import { TemporalOpenAIRunner } from '@temporalio/openai-agents/workflow';
import { temporalProvider } from '@temporalio/ai-sdk/workflow';
import { Agent } from '@openai/agents-core';
import { generateText } from 'ai';

export async function example(name: string): Promise<string> {
  const { text } = await generateText({ model: temporalProvider.languageModel('mock'), prompt: name });
  const agent = new Agent({ name: 'Greeter', instructions: 'Greet.', model: 'scripted' });
  const { finalOutput } = await new TemporalOpenAIRunner().run(agent, name);
  return \`\${text}, \${finalOutput}\`;
}
`;
  /** The examples are projects of their own, and ask for what the worker of both plugins needs. */
  const PLUGINS = EXAMPLES.flatMap(([name]) => packagesOf(name));
  let folder: string;

  beforeAll(async () => {
    const files = {
      ...helloWorld({
        imports,
        list: `...(process.env['OURS_FIRST'] ? [ours, aiSdk, agents] : [agents, aiSdk, ours])`,
      }),
      'src/workflows.ts': workflows,
    };
    folder = await project(files, [...new Set([...sdk('1.23.0'), ...PLUGINS, ...nodeInstalls(22)])]);
  });

  test.each(['', 'yes'])(
    'one worker serves an agent, a call of the AI SDK and a loop (ours first: "%s")',
    async (first) => {
      const model = await ScriptedOpenAI.start({ script: () => ({ reply: 'the script says hello' }) });
      try {
        const { printed } = await run(folder, { OURS_FIRST: first, MODEL_URL: model.baseUrl });
        expect(printed).toContain('mock says hello, the script says hello');
        expect(printed).toContain('calls 2');
        expect(sdksIn(folder)).toEqual(['1.23.0']);
      } finally {
        await model.close();
      }
    },
  );

  describe.each(EXAMPLES)('the example %s', (name, node, args) => {
    beforeAll(() => {
      const packed = path.join(folder, 'node_modules', 'durable-reflection', 'examples', name);
      cpSync(packed, path.join(folder, name), { recursive: true });
    });

    test('compiles, to run if it is CommonJS', () => {
      const listed = execFileSync(process.execPath, [TSC, '-p', path.join(folder, name), '--listFiles']).toString();
      expect(listed).toContain(`/${name}/workflows.ts`);
    });

    test.each([
      ['made no look-up', 'It arrives on 6 May.', false, /: findOrder was not called/],
      ['looked it up, and reports another day', 'It arrives on 9 May.', true, /: The look-up says another day\./],
    ])('an agent that %s does not pass', async (_what, answer, looksUp, issue) => {
      const model = await ScriptedOpenAI.start({
        script: ({ body, last }): ScriptEntry => {
          const { messages } = body!;
          if (/Does the answer say when/.test(last)) {
            // It believes the evidence alone.
            const [, , evidence = '9 May'] = /<<<EVIDENCE (\w{8})\n([^]*?)\n\1 EVIDENCE/.exec(last) ?? [];
            const pass = evidence.includes('9 May');
            const issues = pass ? [] : ['The look-up says another day.'];
            return { reply: { valid: pass, score: pass ? 0.9 : 0.2, reason: 'looked', issues, suggestions: [] } };
          }
          const isFirst = !messages.some(({ role }) => role === 'tool' || role === 'assistant');
          if (looksUp && isFirst) return { toolCalls: [{ name: 'findOrder', arguments: { number: '1807' } }] };
          return { reply: answer };
        },
      });
      try {
        const program = nodeOf(path.join(folder, 'node_modules'), node);
        const scripted = { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'none' };
        const { printed } = await run(folder, scripted, [program, ...args]);
        expect(printed).toMatch(/did not pass: \d+ model calls/);
        expect(printed.replace(/ \(score [\d.]+\) /g, ': ')).toMatch(issue);
      } finally {
        await model.close();
      }
    });

    test('an agent with a tool drafts, our judge decides, a second draft knows the issues, and both count', async () => {
      const usage = { prompt: 100, completion: 10 };
      const judged = { prompt: 7, completion: 1 };
      const isJudge = /Does the answer say when/;
      const vague = { valid: false, score: 0.3, reason: 'no day', issues: ['It names no day.'], suggestions: [] };
      const good = { valid: true, score: 0.9, reason: 'a day', issues: [], suggestions: [] };
      const model = await ScriptedOpenAI.start({
        script: [
          { match: isJudge, reply: vague, usage: judged },
          { match: isJudge, reply: good, usage: judged },
          { match: { text: /Look up[^]*It names no day/ }, reply: 'It arrives on 6 May.', usage },
          { match: { text: /"role":"tool"[^]*arrives on 6 May/ }, reply: 'It arrives soon.', usage },
          { match: 'Look up', toolCalls: [{ name: 'findOrder', arguments: { number: '1807' } }] },
        ],
      });
      try {
        const program = nodeOf(path.join(folder, 'node_modules'), node);
        const scripted = { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'none' };
        const { printed } = await run(folder, scripted, [program, ...args]);
        const spent = model.ledger.reduce((sum, entry) => sum + (entry.usage?.total_tokens ?? 0), 0);
        const lines = [
          '1: It arrives soon. (score 0.65) It names no day.',
          '2: It arrives on 6 May. (score 0.95)',
          `passed: 5 model calls, ${spent} tokens`,
        ];
        // The SDK for agents prints traces before.
        expect(printed).toContain(lines.join('\n'));
        // The judge sees what the agent looked up; the second draft is one more turn of its conversation.
        const bodies = model.ledger.map(({ body }) => JSON.stringify(body?.messages));
        const shown = bodies.filter((body) => isJudge.test(body));
        expect(shown).toHaveLength(2);
        for (const body of shown) {
          expect(body).toMatch(/EVIDENCE[^]*findOrder [^·]*1807[^·]* · reported by its agent, not recorded · ok/);
          expect(body).toContain('arrives on 6 May');
        }
        expect(bodies.find((body) => /Look up[^]*It names no day/.test(body))).toMatch(
          /"role":"tool"[^]*It arrives soon/,
        );
        model.assertDone();
      } finally {
        await model.close();
      }
    });
  });
});
