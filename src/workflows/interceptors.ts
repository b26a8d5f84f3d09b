import {
  type ApplicationFailure,
  defaultPayloadConverter,
  type FailureConverter,
  type Payload,
  type PayloadConverter,
} from '@temporalio/common';
import {
  workflowInfo,
  type WorkflowInterceptorsFactory,
  type WorkflowInternalsInterceptor,
} from '@temporalio/workflow';
import { withoutCommandsInBulk } from './signals/bulk-handlers';
import { BULK, deliver } from './signals/bulk-signals';
import { wellFormedMessage } from '../lib/names/protocol-text';
import * as ours from '.';
import { scheduleLocalActivity } from './retries/local-time';
import { markOwnPage } from './shared/kept-page';
import { permanentFailure } from './shared/step-failure';
import { replacedNames } from './replaced-names';

/** The worker looks for this text in bundles that were made in advance. */
export const mark = '__durable_reflection_interceptors';

/** Names that the SDK keeps for itself: where unknown names have a handler, it throws at these. */
const RESERVED = /^__temporal_/;

function isReadable(payload: Payload): boolean {
  try {
    defaultPayloadConverter.fromPayload(payload);
    return true;
  } catch {
    return false;
  }
}

function encodingOf({ metadata }: Payload): string {
  return String.fromCharCode(...(metadata?.['encoding'] ?? []).slice(0, 40));
}

/** Reads a payload as JSON, also as `json/protobuf`, a form that the Web UI offers for signals. */
function readAsJson(payload: Payload): Payload | undefined {
  if (isReadable(payload)) return payload;
  const metadata = defaultPayloadConverter.toPayload(null).metadata ?? {};
  const json = { ...payload, metadata };
  return encodingOf(payload) === 'json/protobuf' && isReadable(json) ? json : undefined;
}

function makeReadable(payload: Payload): Payload {
  const text = (): string => `(a payload of the encoding "${encodingOf(payload)}" that cannot be read)`;
  return readAsJson(payload) ?? defaultPayloadConverter.toPayload(text());
}

function findUnreadableArgument(given: readonly Payload[]): ApplicationFailure | undefined {
  const index = given.findIndex((payload) => readAsJson(payload) === undefined);
  if (index < 0) return undefined;
  const message = `cannot be read: it was sent with the encoding "${encodingOf(given[index]!)}" and is not what that says; send JSON as "json/plain"`;
  const path = index === 0 ? '' : `/${index}`;
  return permanentFailure('InvalidSpec', `The argument ${message}`, [[{ path, message }]]);
}

/** The memo is decoded before an interceptor is asked: what cannot be read there must not block the run, either. */
const tolerant: PayloadConverter = {
  toPayload: (value) => defaultPayloadConverter.toPayload(value),
  fromPayload(payload: Payload): never {
    try {
      return defaultPayloadConverter.fromPayload(payload);
    } catch {
      return defaultPayloadConverter.fromPayload(makeReadable(payload));
    }
  },
};

interface Activator {
  payloadConverter: PayloadConverter;
  failureConverter: FailureConverter;
}

function activatorOfRun(): Activator | undefined {
  return (globalThis as { __TEMPORAL_ACTIVATOR__?: Activator }).__TEMPORAL_ACTIVATOR__;
}

/** Failures of workflow tasks are not commands: their texts are made well-formed where they are converted. */
function makeFailuresWellFormed(activator: Activator): void {
  const { failureConverter: theirs } = activator;
  activator.failureConverter = {
    errorToFailure: (...given) => wellFormedMessage(theirs.errorToFailure(...given)),
    failureToError: (...given) => theirs.failureToError(...given),
  };
}

/**
 * Makes every string that a workflow sends well-formed, no matter who wrote the workflow: ids, types and queues of children,
 * names of signals, messages. The worker would end at one that is not UTF-8, and so would the next worker. Strings from a
 * spec were refused long before.
 */
const concludeActivation: WorkflowInternalsInterceptor['concludeActivation'] = (input, next) =>
  next({ ...input, commands: wellFormedMessage(input.commands) });

/** Takes only the commands for a loop of ours past the SDK, in a user's own workflow. */
const takeTheirs: WorkflowInternalsInterceptor['activate'] = (input, next) => {
  const { activation } = input;
  activation.jobs = withoutCommandsInBulk(activation.jobs ?? []);
  next(input);
};

const outbound = [{ scheduleLocalActivity }];

/**
 * Interceptors that keep a message which is sent by hand from blocking a run: the SDK would fail the workflow task that
 * brings a payload which it cannot decode, and retry it forever. A payload converter of the worker's owner reads other
 * payloads, and is left alone.
 */
export const interceptors: WorkflowInterceptorsFactory = () => {
  const { workflowType } = workflowInfo();
  const activator = activatorOfRun();
  if (activator) makeFailuresWellFormed(activator);
  if (activator && activator.payloadConverter !== defaultPayloadConverter)
    return { outbound, internals: [{ concludeActivation }] };
  if (!Object.hasOwn(ours, workflowType))
    return { outbound, internals: [{ activate: takeTheirs, concludeActivation }] };
  if (activator) activator.payloadConverter = tolerant;
  let invalid: ApplicationFailure | undefined;
  return {
    outbound,
    inbound: [
      {
        execute(input, next) {
          return invalid ? Promise.reject(invalid) : next(input);
        },
      },
    ],
    internals: [
      {
        concludeActivation,
        activate(input, next) {
          // Workflows are loaded after their interceptors, so it is not known sooner.
          if (replacedNames.has(workflowType)) return next(input);
          markOwnPage();
          const { activation } = input;
          const jobs = activation.jobs ?? [];
          const isBulk = jobs.filter(({ signalWorkflow }) => signalWorkflow).length > BULK;
          for (const { initializeWorkflow: start, signalWorkflow: signal, doUpdate: update } of jobs) {
            if (start?.arguments) {
              invalid = findUnreadableArgument(start.arguments);
              start.arguments = start.arguments.map(makeReadable);
            }
            if (signal?.input && !isBulk) signal.input = signal.input.map(makeReadable);
            // Then it is a name like others that mean nothing here.
            if (signal?.signalName) signal.signalName = signal.signalName.replace(RESERVED, 'temporal_');
            if (update?.name) update.name = update.name.replace(RESERVED, 'temporal_');
          }
          if (isBulk) {
            activation.jobs = jobs.filter(({ signalWorkflow }) => !signalWorkflow);
            for (const { signalWorkflow: signal } of jobs) {
              const [payload] = signal?.input ?? [];
              if (signal?.signalName) deliver(signal.signalName, payload && tolerant.fromPayload(payload));
            }
          }
          next(input);
        },
      },
    ],
  };
};
