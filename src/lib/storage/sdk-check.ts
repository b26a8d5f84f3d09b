import { ProtobufJsonPayloadConverter } from '@temporalio/common/lib/protobufs';
import * as proto from '@temporalio/proto';

import { InvalidStorageSettings } from './errors';

/**
 * Checks that references can be written. The SDK's packages each depend on protobufjs (7 for SDK 1.22, 8 since) and work only
 * with one copy between them: where npm finds another version at the top of `node_modules`, each gets a copy of its own, and no
 * reference can be written. The SDK would notice after the first large result, which may have been paid for.
 *
 * @throws InvalidStorageSettings
 */
export function checkReferencesCanBeWritten(): void {
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
