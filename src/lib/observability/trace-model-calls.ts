import { createHash } from 'node:crypto';
import { type Attributes, type Span, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import type { Instrumentation, ModelCall, ModelCallEnd } from './instrumentation';
import { redact } from '../redact';

/** A collector refuses spans that are too large. */
const CONTENT_LENGTH = 20_000;

export interface TraceOptions {
  /** Adds prompts and replies to spans. Default false. */
  content?: boolean;
  /** Starts a span; the trace id is derived from the run. Default: the tracer's own ids, in the active context. */
  startSpan?(name: string, attributes: Attributes, traceId: string): Span;
}

/**
 * Creates a span for each model call, with OpenTelemetry's conventions for generative AI. Spans are created in the
 * activity that makes the call, so workflow code and histories do not change.
 */
export function traceModelCalls(tracer: Tracer, { content = false, startSpan }: TraceOptions = {}): Instrumentation {
  const start =
    startSpan ??
    ((name: string, attributes: Attributes) => tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }));
  return {
    modelCall(call) {
      const span = start(`${call.operation ?? 'chat'} ${call.providerModel}`, attributesOf(call), traceIdOf(call));
      if (content) span.setAttribute('gen_ai.input.messages', messagesText(call.messages));
      return (end) => finish(span, end, content);
    },
  };
}

/** One trace for all calls of a run, by any worker, without passing it on. */
function traceIdOf({ namespace, runId }: ModelCall): string {
  return createHash('sha256').update(`${namespace}/${runId}`).digest('hex').slice(0, 32);
}

function attributesOf(call: ModelCall): Attributes {
  return {
    'gen_ai.operation.name': call.operation ?? 'chat',
    'gen_ai.system': 'openai',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': call.providerModel,
    ...(call.temperature === undefined ? {} : { 'gen_ai.request.temperature': call.temperature }),
    ...(call.maxTokens === undefined ? {} : { 'gen_ai.request.max_tokens': call.maxTokens }),
    'reflect.activity': call.activity,
    'reflect.attempt': call.attempt,
    temporalWorkflowID: call.workflowId,
    temporalRunID: call.runId,
  };
}

function finish(span: Span, { outcome, usage, text }: ModelCallEnd, content: boolean): void {
  if (usage) {
    span.setAttribute('gen_ai.usage.input_tokens', usage.promptTokens);
    span.setAttribute('gen_ai.usage.output_tokens', usage.completionTokens);
  }
  if (outcome === 'ok' || outcome === 'cut_off') {
    span.setAttribute('gen_ai.response.finish_reasons', [outcome === 'ok' ? 'stop' : 'length']);
  } else {
    span.setAttribute('error.type', outcome);
    // A vendor's message may quote the prompt: the type must do.
    span.setStatus({ code: SpanStatusCode.ERROR, message: outcome });
  }
  if (content && text !== undefined) {
    span.setAttribute('gen_ai.output.messages', messagesText([{ role: 'assistant', content: text }]));
  }
  span.end();
}

function messagesText(messages: readonly { role: string; content: string }[]): string {
  const each = messages.map(({ role, content }) => ({
    role,
    parts: [{ type: 'text', content: redact(content, { length: CONTENT_LENGTH }) }],
  }));
  return JSON.stringify(each);
}
