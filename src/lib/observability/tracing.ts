import { type Attributes, ROOT_CONTEXT, SpanKind } from '@opentelemetry/api';
import type { IdGenerator } from '@opentelemetry/sdk-trace-base';
import { requireOptional } from '../optional-packages';
import type { Instrumentation } from './instrumentation';
import { traceModelCalls } from './trace-model-calls';

interface Tracing {
  instrumentation: Instrumentation;
  shutdown(): Promise<void>;
}

/** A root span's trace gets the id that was set last. */
class GivenTraceIds implements IdGenerator {
  traceId = '';
  constructor(private readonly random: IdGenerator) {}
  generateTraceId = () => this.traceId || this.random.generateTraceId();
  generateSpanId = () => this.random.generateSpanId();
}

/**
 * Traces to a collector, over OTLP/HTTP, as OpenTelemetry's own variables say (`OTEL_EXPORTER_OTLP_ENDPOINT`, `…_HEADERS`,
 * `OTEL_SERVICE_NAME`, `OTEL_TRACES_SAMPLER`, `OTEL_BSP_…`). `REFLECT_TRACE_CONTENT=1` adds prompts and replies. Throws
 * PackageMissing.
 */
export function startTracing(): Tracing {
  const { OTLPTraceExporter } = requireOptional(
    'Tracing',
    '@opentelemetry/exporter-trace-otlp-http',
  ) as typeof import('@opentelemetry/exporter-trace-otlp-http');
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } = requireOptional(
    'Tracing',
    '@opentelemetry/resources',
  ) as typeof import('@opentelemetry/resources');
  const { BasicTracerProvider, BatchSpanProcessor, RandomIdGenerator } = requireOptional(
    'Tracing',
    '@opentelemetry/sdk-trace-base',
  ) as typeof import('@opentelemetry/sdk-trace-base');
  const ids = new GivenTraceIds(new RandomIdGenerator());
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
    content: process.env['REFLECT_TRACE_CONTENT'] === '1',
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
