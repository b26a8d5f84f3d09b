import { ExternalStorage, type StorageDriver } from '@temporalio/common';

import { checkReferencesCanBeWritten } from './sdk-check';

/** Payloads from this size on go to the storage: a loop of many iterations meets the limit of a history's bytes first. */
export const DEFAULT_THRESHOLD_BYTES = 64 * 1_024;

export interface ExternalStorageOptions {
  /** Where large payloads go. */
  driver: StorageDriver;
  /** Storages of the past: what older histories refer to is still read from them. */
  alsoReadFrom?: readonly StorageDriver[];
  /** Payloads of at least so many bytes, encoded, are stored; smaller ones stay readable in the history. Default: 65536. */
  thresholdBytes?: number;
}

/** Makes what `dataConverter.externalStorage` of worker and client takes. Both need the same drivers. @throws InvalidStorageSettings */
export function externalStorage(options: ExternalStorageOptions): ExternalStorage {
  const { driver, alsoReadFrom = [], thresholdBytes = DEFAULT_THRESHOLD_BYTES } = options;
  checkReferencesCanBeWritten();
  return new ExternalStorage({
    drivers: [driver, ...alsoReadFrom],
    driverSelector: () => driver,
    payloadSizeThreshold: thresholdBytes,
  });
}
