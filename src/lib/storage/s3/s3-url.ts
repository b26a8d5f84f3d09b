import { InvalidStorageSettings } from '../errors';
import type { S3StorageOptions } from './s3-storage';

const FORM = 's3://<bucket>?region=<region>&endpoint=<URL>&path-style=true';
const KEYS = ['region', 'endpoint', 'path-style'];

/**
 * Reads `s3://bucket?region=…`.
 *
 * @throws InvalidStorageSettings, which does not show it: a user may have put a key there
 */
export function readS3Url(setting: string): Pick<S3StorageOptions, 'bucket' | 'region' | 'endpoint' | 'pathStyle'> {
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
