import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { trace } from '@opentelemetry/api';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { ReflectionClient } from '../../../src/client';
import type { ReflectionSpec } from '../../../src/loop/contract/spec';
import { wantsTracing } from '../../../src/lib/observability/tracing-wanted';
import { type CircuitState, traceModelCalls, WorkerMetrics } from '../../../src/worker';
import { ReflectCommand } from '../../apps/cli/reflect-command';
import type { ScriptEntry } from '../../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../../src/apps/testing/scripted-model/server';
import { eventually } from '../../../testing/support/eventually';
import { startWorld, type LoopWorld } from '../../../testing/support/loop-world';
import { testAddress } from '../../../testing/support/temporal-server';

const PROMPT = 'a prompt that belongs into no span';
const REPLY = 'a reply that belongs into no span';

const spec: ReflectionSpec = {
  generator: { action: 'llm.call', prompt: PROMPT, temperature: 0.5 },
  evaluator: { type: 'llm', prompt: 'Good? {{ state.reflection_output }}', model: 'judge' },
};

const SCRIPT: ScriptEntry[] = [
  { status: 429, headers: { 'retry-after-ms': '10' }, error: { message: PROMPT } },
  { reply: REPLY, usage: { prompt: 100, completion: 20 } },
  { reply: { pass: true }, usage: { prompt: 200, completion: 30 } },
];

const MODELS = (baseUrl: string) => [
  { name: 'writer', model: 'gpt-writer', baseUrl, prices: { inputPerMillion: 1_000, outputPerMillion: 2_000 } },
  { name: 'judge', model: 'gpt-judge', baseUrl },
];

let model: ScriptedOpenAI;
let world: LoopWorld | undefined;

beforeEach(async () => {
  model = await ScriptedOpenAI.start({ script: SCRIPT });
});
afterEach(async () => {
  await world?.close();
  world = undefined;
  await model.close();
});

describe('a run with two models, watched by all', () => {
  const circuits: CircuitState[] = [{ name: 'writer', state: 'half-open' }];
  const metrics = new WorkerMetrics(() => circuits);
  const exporters = { quiet: new InMemorySpanExporter(), telling: new InMemorySpanExporter() };
  let workflowId: string;

  beforeAll(async () => {
    const scripted = await ScriptedOpenAI.start({ script: SCRIPT });
    const tracing = Object.entries(exporters).map(([name, exporter]) => {
      const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
      return traceModelCalls(provider.getTracer('test'), { content: name === 'telling' });
    });
    const watched = await startWorld({ models: MODELS(scripted.baseUrl), instrumentations: [metrics, ...tracing] });
    ({ workflowId } = await watched.client.start(spec));
    expect(await watched.client.result(workflowId)).toMatchObject({ success: true });
    await watched.close();
    await scripted.close();
  });

  test('metrics count calls, tokens and money by model and outcome, with few labels', async () => {
    const lines = (await metrics.text()).split('\n');
    const expected = [
      'reflect_model_calls_total{model="writer",activity="generate",outcome="RateLimited"} 1',
      'reflect_model_calls_total{model="writer",activity="generate",outcome="ok"} 1',
      'reflect_model_calls_total{model="judge",activity="evaluate",outcome="ok"} 1',
      'reflect_model_calls_in_flight{model="writer"} 0',
      'reflect_model_tokens_total{model="writer",kind="prompt"} 100',
      'reflect_model_tokens_total{model="judge",kind="completion"} 30',
      'reflect_model_cost_usd_total{model="writer"} 0.14',
      'reflect_model_call_duration_seconds_count{model="writer",activity="generate"} 2',
      'reflect_circuit_state{circuit="writer",state="open"} 0',
      'reflect_circuit_state{circuit="writer",state="half-open"} 1',
    ];
    for (const line of expected) expect(lines).toContain(line);
    expect(lines.some((line) => line.startsWith('process_cpu_seconds_total'))).toBe(true);
    const many = Array.from({ length: 200 }, (_, index) => ({ name: `closed ${index}`, state: 'closed' as const }));
    circuits.splice(0, 1, ...many, { name: 'the open one', state: 'open' });
    const text = await metrics.text();
    expect(text).toContain('reflect_circuit_state{circuit="the open one",state="open"} 1');
    expect(text.match(/^reflect_circuit_state\{/gm)).toHaveLength(150);
  });

  test('each call is a span by the conventions for generative AI', () => {
    const spans = exporters.quiet.getFinishedSpans();
    expect(spans.map(({ name, attributes }) => [name, attributes['reflect.activity']])).toEqual([
      ['chat gpt-writer', 'generate'],
      ['chat gpt-writer', 'generate'],
      ['chat gpt-judge', 'evaluate'],
    ]);
    const [failed, written] = spans.map(({ attributes }) => attributes);
    expect(failed).toMatchObject({ 'error.type': 'RateLimited', 'reflect.attempt': 1 });
    expect(written).toMatchObject({
      'gen_ai.system': 'openai',
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'gpt-writer',
      'gen_ai.request.temperature': 0.5,
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.output_tokens': 20,
      'gen_ai.response.finish_reasons': ['stop'],
      'reflect.attempt': 2,
      temporalWorkflowID: workflowId,
    });
  });

  test('spans hold prompts and replies for those who asked, and for nobody else', () => {
    const everything = (exporter: InMemorySpanExporter) =>
      JSON.stringify(
        exporter.getFinishedSpans().map(({ attributes, events, status }) => ({ attributes, events, status })),
      );
    const has = (exporter: InMemorySpanExporter) => [PROMPT, REPLY].map((text) => everything(exporter).includes(text));
    expect([has(exporters.quiet), has(exporters.telling)]).toEqual([
      [false, false],
      [true, true],
    ]);
  });
});

test('a model that only a spec names is no label', async () => {
  const metrics = new WorkerMetrics();
  process.env['OPENAI_BASE_URL'] = model.baseUrl;
  world = await startWorld({ instrumentations: [metrics] });
  await world.client.run({ ...spec, model: 'name-from-a-spec' });
  delete process.env['OPENAI_BASE_URL'];
  const text = await metrics.text();
  expect(text).toContain('reflect_model_calls_total{model="other",activity="generate",outcome="ok"} 1');
  expect(text).not.toContain('name-from-a-spec');
});

describe('with a collector', () => {
  interface OtlpSpan {
    traceId: string;
    parentSpanId?: string;
    name: string;
  }
  interface Otlp {
    resourceSpans: {
      resource: { attributes: { key: string; value: { stringValue?: string } }[] };
      scopeSpans: { spans: OtlpSpan[] }[];
    }[];
  }
  let collector: Server;
  const received: { path: string; body: string; parsed: Otlp }[] = [];

  beforeEach(async () => {
    collector = createServer((request, response) => {
      let body = '';
      request.on('data', (piece) => (body += String(piece)));
      request.on('end', () => {
        received.push({ path: request.url ?? '', body, parsed: JSON.parse(body) as Otlp });
        response.setHeader('content-type', 'application/json').end('{}');
      });
    });
    collector.listen(0, '127.0.0.1');
    await once(collector, 'listening');
  });
  afterEach(() => collector.close());

  test('reflect worker sends one trace for a run, and nothing of what was said', async () => {
    const taskQueue = `trace-${Date.now()}`;
    const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
    const worker = new ReflectCommand(['worker', '--address', testAddress(), '--task-queue', taskQueue], {
      env: {
        OPENAI_BASE_URL: model.baseUrl,
        OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
        OTEL_SERVICE_NAME: 'loops',
        OTEL_BSP_SCHEDULE_DELAY: '100',
      },
    });
    await worker.says(/Ctrl-C lets/);
    const client = await ReflectionClient.connect({ address: testAddress(), taskQueue });
    await client.run(spec);
    await client.close();
    worker.kill('SIGTERM');
    await worker.finished;
    const spans = () =>
      received.flatMap(({ parsed }) =>
        parsed.resourceSpans.flatMap((each) => each.scopeSpans.flatMap((one) => one.spans)),
      );
    await eventually(spans, (seen) => seen.length === 3);
    expect(new Set(received.map(({ path }) => path))).toEqual(new Set(['/v1/traces']));
    expect(spans().map(({ name }) => name)).toEqual(['chat gpt-4o-mini', 'chat gpt-4o-mini', 'chat judge']);
    expect(new Set(spans().map(({ traceId }) => traceId)).size).toBe(1);
    expect(spans().every(({ parentSpanId }) => !parentSpanId)).toBe(true);
    const service = received[0]!.parsed.resourceSpans[0]!.resource.attributes.find(({ key }) => key === 'service.name');
    expect(service?.value.stringValue).toBe('loops');
    const everything = received.map(({ body }) => body).join('');
    expect(everything).not.toContain(PROMPT);
    expect(everything).not.toContain(REPLY);
  }, 60_000);
});

test('traces are for those who name a collector', () => {
  expect(wantsTracing({})).toBe(false);
  expect(wantsTracing({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c' })).toBe(true);
  expect(wantsTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', OTEL_SDK_DISABLED: 'true' })).toBe(false);
  // Nothing of ours becomes the process's own provider.
  expect(trace.getTracerProvider().constructor.name).toBe('ProxyTracerProvider');
});
