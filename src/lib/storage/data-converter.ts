import type { DataConverter } from '@temporalio/common';
import { encryptionCodecFrom, failureConverterPath } from '../codec';
import { InvalidStorageSettings } from './errors';
import { externalStorage } from './external-storage';
import { localFolderStorage } from './local-folder';
import { ObjectStorageDriver, type ObjectStorageOptions } from './object-storage-driver';
import { postgresStorage } from './postgres';
import { S3Storage, type S3StorageOptions } from './s3/s3-storage';

const FORM = 's3://<bucket>?region=<region>&endpoint=<URL>&path-style=true';
const KEYS = ['region', 'endpoint', 'path-style'];

/**
 * Reads `s3://bucket?region=…`.
 *
 * @throws InvalidStorageSettings, which does not show it: a user may have put a key there
 */
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
 * Returns the storage that `REFLECT_STORAGE` names: `folder:<path>`, or a `postgres://` or `s3://` URL. Undefined if it is not
 * set. Close it in the end.
 *
 * @throws InvalidStorageSettings
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
 * Returns the data converter that worker and client need in common, configured by the environment: `REFLECT_STORAGE`,
 * `REFLECT_STORAGE_THRESHOLD` (bytes, default 65536) and `REFLECT_CODEC_KEYS`. Undefined when none is set: then everything stays
 * in the history, readable.
 *
 * The SDK encrypts first and stores then, so the storage never sees plain text. The same payload is encrypted to other bytes each
 * time, so with keys none is found to be stored already, and none can be compressed.
 *
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
