/**
 * What a server in production refuses, with the dynamic configuration that says so. The defaults of the server are the
 * limits of Temporal Cloud and of a self-hosted one; they are set all the same, so that a dev server that is laxer one day
 * does not let a run through that would be lost elsewhere.
 */
export const SERVER_LIMITS = {
  'limit.blobSize.error': 2 * 1_024 * 1_024,
  'limit.memoSize.error': 2 * 1_024 * 1_024,
  'limit.historySize.error': 50 * 1_024 * 1_024,
  'limit.historyCount.error': 51_200,
  'limit.historySize.suggestContinueAsNew': 4 * 1_024 * 1_024,
  'limit.historyCount.suggestContinueAsNew': 4_096,
  'limit.mutableStateSize.error': 8 * 1_024 * 1_024,
  'limit.mutableStateActivityFailureSize.error': 4 * 1_024,
  'limit.numPendingActivities.error': 2_000,
  'limit.numPendingChildExecutions.error': 2_000,
  'limit.numPendingSignals.error': 2_000,
  'limit.numPendingCancelRequests.error': 2_000,
  'limit.maxIDLength': 1_000,
  'limit.userMetadataSummarySize': 400,
  'limit.userMetadataDetailsSize': 20_000,
  'frontend.searchAttributesNumberOfKeysLimit': 100,
  'frontend.searchAttributesSizeOfValueLimit': 2 * 1_024,
  'frontend.searchAttributesTotalSizeLimit': 40 * 1_024,
  'history.maxInFlightUpdates': 10,
  'history.maxInFlightUpdatePayloads': 20 * 1_024 * 1_024,
  'history.maxTotalUpdates': 2_000,
  'history.maximumSignalsPerExecution': 10_000,
  'history.maximumBufferedEventsBatch': 100,
  'history.maximumBufferedEventsSizeInBytes': 2 * 1_024 * 1_024,
  'history.defaultWorkflowTaskTimeout': '"10s"',
} as const;

/** Bytes of one gRPC message. No setting: it is gRPC's own, and no option of the dev server changes it. */
export const MESSAGE_BYTES = 4 * 1_024 * 1_024;

/** The same as `--dynamic-config-value` takes it. */
export const PRODUCTION_SETTINGS: readonly string[] = Object.entries(SERVER_LIMITS).map(
  ([name, value]) => `${name}=${value}`,
);
