import { ExternalStorage, type StorageDriver } from '@temporalio/common';
import { USUALLY_STORED_FROM } from '../limits/payload-limit';
import { InvalidStorageSettings } from './errors';
import { ProtobufJsonPayloadConverter } from '@temporalio/common/lib/protobufs';
import * as proto from '@temporalio/proto';

/**
 * Checks that references can be written. The SDK's packages each depend on protobufjs (7 for SDK 1.22, 8 since) and work only
 * with one copy between them: where npm finds another version at the top of `node_modules`, each gets a copy of its own, and no
 * reference can be written. The SDK would notice after the first large result, which may have been paid for.
 *
 * @throws InvalidStorageSettings
 */
function checkReferencesCanBeWritten(): void {
  try {
    const reference = proto.temporal.api.sdk.v1.ExternalStorageReference.create({ driverName: 'check', claimData: {} });
    new ProtobufJsonPayloadConverter(proto).toPayload(reference);
  } catch (error) {
    throw new InvalidStorageSettings(
      'External storage cannot work in this installation: @temporalio/common and @temporalio/proto do not share one copy of ' +
        `protobufjs. \`npm ls protobufjs\` shows the copies; adding protobufjs ${neededRange()} to the dependencies of your ` +
        `package makes them one. (${String(error)})`,
    );
  }
}

/** Returns the range of protobufjs that the installed SDK requires. */
function neededRange(): string {
  const manifest = require('@temporalio/proto/package.json') as { dependencies: { protobufjs: string } };
  return manifest.dependencies.protobufjs;
}

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
