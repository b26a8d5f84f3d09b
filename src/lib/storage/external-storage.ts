import { ExternalStorage, type StorageDriver } from '@temporalio/common';

import { USUALLY_STORED_FROM } from '../limits/payload-limit';
import { InvalidStorageSettings } from './errors';
import { checkReferencesCanBeWritten } from './sdk-check';

/**
 * The maximum threshold: a value that is not stored must fit into a history, which takes payloads of 2 MiB and messages of 4
 * MiB.
 */
export const HIGHEST_THRESHOLD_BYTES = 1_024 * 1_024;

interface ExternalStorageOptions {
  /** The storage that large payloads go to. */
  driver: StorageDriver;
  /** Payloads of at least so many bytes, encoded, are stored; smaller ones stay readable in the history. At most 1048576; default: 65536. */
  thresholdBytes?: number;
}

/**
 * Makes what `dataConverter.externalStorage` of worker and client takes. Both need the same drivers.
 *
 * @throws InvalidStorageSettings
 */
export function externalStorage(options: ExternalStorageOptions): ExternalStorage {
  const { driver, thresholdBytes = USUALLY_STORED_FROM } = options;
  if (thresholdBytes > HIGHEST_THRESHOLD_BYTES) {
    throw new InvalidStorageSettings(
      `payloads must be stored from ${HIGHEST_THRESHOLD_BYTES} bytes on at most, or they fit into no history; the threshold is ${thresholdBytes}`,
    );
  }
  checkReferencesCanBeWritten();
  return new ExternalStorage({
    drivers: [driver],
    driverSelector: () => driver,
    payloadSizeThreshold: thresholdBytes,
  });
}
