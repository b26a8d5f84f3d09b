import { type Attributes, ROOT_CONTEXT, SpanKind } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type IdGenerator,
  RandomIdGenerator,
} from '@opentelemetry/sdk-trace-base';
import type { Instrumentation } from './instrumentation';
import { traceModelCalls } from './trace-model-calls';

export interface Tracing {
  instrumentation: Instrumentation;
  /** Sends what has not been sent. */
  shutdown(): Promise<void>;
}

/** A root span's trace gets the id that was set last. */
class GivenTraceIds implements IdGenerator {
  readonly #random = new RandomIdGenerator();
  traceId = '';
  generateTraceId = () => this.traceId || this.#random.generateTraceId();
  generateSpanId = () => this.#random.generateSpanId();
}

/**
 * Traces to a collector, over OTLP/HTTP, as OpenTelemetry's own variables say (`OTEL_EXPORTER_OTLP_ENDPOINT`, `…_HEADERS`,
 * `OTEL_SERVICE_NAME`, `OTEL_TRACES_SAMPLER`, `OTEL_BSP_…`). `REFLECT_TRACE_CONTENT=1` adds prompts and replies.
 */
export function startTracing(env: NodeJS.ProcessEnv = process.env): Tracing {
  const ids = new GivenTraceIds();
  const named = resourceFromAttributes({ 'service.name': 'durable-reflection' });
  const provider = new BasicTracerProvider({
    idGenerator: ids,
    // The environment's name wins.
    resource: defaultResource()
      .merge(named)
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const tracer = provider.getTracer('durable-reflection');
  const instrumentation = traceModelCalls(tracer, {
    content: env['REFLECT_TRACE_CONTENT'] === '1',
    startSpan(name: string, attributes: Attributes, traceId: string) {
      ids.traceId = traceId;
      const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, ROOT_CONTEXT);
      ids.traceId = '';
      return span;
    },
  });
  return {
    instrumentation,
    // A collector that is away must not keep a worker from ending.
    shutdown: () => provider.shutdown().catch(() => undefined),
  };
}
