import {
  ApplicationFailure,
  ContinueAsNew,
  isCancellation,
  proxySinks,
  type Sinks,
  type WorkflowInterceptorsFactory,
} from '@temporalio/workflow';
import type { RunEnd } from './history-file';

/**
 * The sink through which replayed code reports to the test how its run ended. As text: objects of the sandbox have other
 * prototypes.
 */
export interface OutcomeSinks extends Sinks {
  outcome: { tell(end: string): void };
}

function failureEnd(error: unknown): RunEnd | undefined {
  if (isCancellation(error)) return { kind: 'cancelled' };
  if (!(error instanceof ApplicationFailure)) return undefined;
  return { kind: 'failed', type: String(error.type), message: error.message, details: error.details ?? [] };
}

/** Wraps the workflow function and issues no commands, so that what is replayed is the same with and without it. */
export const interceptors: WorkflowInterceptorsFactory = () => {
  const { outcome } = proxySinks<OutcomeSinks>();
  const tell = (end: RunEnd | undefined) => end && outcome.tell(JSON.stringify(end));
  return {
    inbound: [
      {
        async execute(input, next) {
          try {
            const result = await next(input);
            tell({ kind: 'completed', result });
            return result;
          } catch (error) {
            if (!(error instanceof ContinueAsNew)) tell(failureEnd(error));
            throw error;
          }
        },
      },
    ],
    outbound: [
      {
        continueAsNew(input, next) {
          tell({ kind: 'continued', arguments: input.args });
          return next(input);
        },
      },
    ],
  };
};
