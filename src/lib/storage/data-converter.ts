import { type DataConverter, ExternalStorage, type StorageDriver } from '@temporalio/common';
import { encryptionCodecFrom, failureConverterPath } from '../codec/encryption-codec';
import { InvalidStorageSettings } from './errors';
import { localFolderStorage } from './local-folder';
import { ObjectStorageDriver, type ObjectStorageOptions } from './object-storage-driver';
import { postgresStorage } from './postgres';
import { S3Storage, type S3StorageOptions } from './s3/s3-storage';
import { USUALLY_STORED_FROM } from '../limits/payload-limit';
import { ProtobufJsonPayloadConverter } from '@temporalio/common/lib/protobufs';
import * as proto from '@temporalio/proto';

/**
 * Checks that references can be written. The SDK's packages each depend on protobufjs (7 for SDK 1.22, 8 since) and work only
 * with one copy between them: where npm finds another version at the top of `node_modules`, each gets a copy of its own, and no
 * reference can be written. The SDK would notice after the first large result, which may have been paid for. Throws
 * InvalidStorageSettings.
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

function neededRange(): string {
  const manifest = require('@temporalio/proto/package.json') as { dependencies: { protobufjs: string } };
  return manifest.dependencies.protobufjs;
}

/**
 * The maximum threshold: a value that is not stored must fit into a history, which takes payloads of 2 MiB and messages of 4 MiB.
 */
export const HIGHEST_THRESHOLD_BYTES = 1_024 * 1_024;

interface ExternalStorageOptions {
  driver: StorageDriver;
  /** Payloads of at least so many bytes, encoded, are stored; smaller ones stay readable in the history. At most 1048576; default: 65536. */
  thresholdBytes?: number;
}

/**
 * Makes what `dataConverter.externalStorage` of worker and client takes. Both need the same drivers. Throws
 * InvalidStorageSettings.
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

const FORM = 's3://<bucket>?region=<region>&endpoint=<URL>&path-style=true';
const KEYS = ['region', 'endpoint', 'path-style'];

/** @throws InvalidStorageSettings, which does not show the address: a user may have put a key there */
function readS3Url(setting: string): Pick<S3StorageOptions, 'bucket' | 'region' | 'endpoint' | 'pathStyle'> {
  const wrong = (problem: string) => new InvalidStorageSettings(`REFLECT_STORAGE ${problem}: ${FORM}`);
  const [, bucket, query = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/?(?:\?(.*))?$/.exec(setting) ?? [];
  if (bucket === undefined) {
    throw wrong(
      'must be the name of a bucket, without a path, user or password (credentials are those of the AWS SDK)',
    );
  }
  const given = new URLSearchParams(query);
  const unknown = [...given.keys()].find((key) => !KEYS.includes(key));
  if (unknown !== undefined) throw wrong('has a setting that S3 storages do not have');
  const [region, endpoint] = [given.get('region'), given.get('endpoint')];
  if (endpoint && !URL.canParse(endpoint)) throw wrong('has an endpoint that is no URL');
  return {
    bucket,
    ...(region ? { region } : {}),
    ...(endpoint ? { endpoint } : {}),
    pathStyle: given.get('path-style') === 'true',
  };
}

type Environment = Readonly<Record<string, string | undefined>>;

const FOLDER = 'folder:';
const S3 = 's3://';
const POSTGRES = /^postgres(?:ql)?:\/\//;

/**
 * The storage that `REFLECT_STORAGE` names: `folder:<path>`, or a `postgres://` or `s3://` URL. Undefined if it is not set. Close
 * it in the end. Throws InvalidStorageSettings.
 */
export function storageDriverFrom(
  environment: Environment,
  served: Pick<ObjectStorageOptions, 'namespaces'> = {},
): ObjectStorageDriver | S3Storage | undefined {
  const setting = environment['REFLECT_STORAGE'] ?? '';
  if (setting === '') return undefined;
  if (setting.startsWith(FOLDER)) return localFolderStorage({ folder: setting.slice(FOLDER.length), ...served });
  if (POSTGRES.test(setting)) return postgresStorage({ connectionString: setting, ...served });
  if (setting.startsWith(S3)) return new S3Storage({ ...readS3Url(setting), ...served });
  // The setting is not shown: a mistyped URL holds a password.
  throw new InvalidStorageSettings(
    'REFLECT_STORAGE must be folder:<path>, postgres://<user>:<password>@<host>/<database> or s3://<bucket>',
  );
}

/**
 * The data converter that worker and client need in common, configured by the environment: `REFLECT_STORAGE`,
 * `REFLECT_STORAGE_THRESHOLD` (bytes, default 65536) and `REFLECT_CODEC_KEYS`. Undefined when none is set: then everything stays
 * in the history, readable. The SDK encrypts first and stores then, so the storage never sees plain text. One payload is
 * encrypted to other bytes each time, so with keys none is found to be stored already, and none can be compressed.
 * @param served the namespaces of a process that has only some; it neither reads nor writes what belongs to others. Default: all
 * @throws InvalidStorageSettings, InvalidCodecKeys
 */
export function dataConverterFrom(
  environment: Environment,
  served: Pick<ObjectStorageOptions, 'namespaces'> = {},
): DataConverter | undefined {
  const codec = encryptionCodecFrom(environment);
  const thresholdBytes = thresholdFrom(environment);
  const driver = storageDriverFrom(environment, served);
  if (codec === undefined && driver === undefined) return undefined;
  return {
    ...(codec ? { payloadCodecs: [codec], failureConverterPath } : {}),
    ...(driver ? { externalStorage: externalStorage({ driver, thresholdBytes }) } : {}),
  };
}

/** Ends the connections of the converter's storages that are ours. Others have no such thing. */
export async function closeStorage(converter: DataConverter | undefined): Promise<void> {
  for (const driver of converter?.externalStorage?.drivers ?? []) {
    if (driver instanceof ObjectStorageDriver || driver instanceof S3Storage) await driver.close();
  }
}

function thresholdFrom(environment: Environment): number | undefined {
  const setting = environment['REFLECT_STORAGE_THRESHOLD'] ?? '';
  if (setting === '') return undefined;
  if (!/^\d{1,9}$/.test(setting)) {
    throw new InvalidStorageSettings(`REFLECT_STORAGE_THRESHOLD must be a whole number of bytes, and is "${setting}"`);
  }
  return Number(setting);
}
