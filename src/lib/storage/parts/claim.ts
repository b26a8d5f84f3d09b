import { StorageDriverClaim } from '@temporalio/common';

import { StoredClaimInvalid } from '../errors';

/** The reference that a history holds in place of a payload. */
export interface Claim {
  namespace: string;
  /** Hash of the part to start from. */
  root: string;
  /** The exact length of the payload that is put together. */
  bytes: number;
}

/** The version of the format. Histories are kept for years, and a reader must refuse formats that it does not know. */
const FORMAT = '1';

const HASH = /^[0-9a-f]{64}$/;
const BYTES = /^\d{1,15}$/;

export function writeClaim({ namespace, root, bytes }: Claim): StorageDriverClaim {
  return new StorageDriverClaim({ format: FORMAT, namespace, root, bytes: String(bytes) });
}

/** @throws StoredClaimInvalid when it is not one of ours, or of a later version. */
export function readClaim({ claimData }: StorageDriverClaim): Claim {
  const { format, namespace, root = '', bytes = '' } = claimData;
  if (format !== FORMAT) {
    throw new StoredClaimInvalid(`it has format "${String(format)}", and this version reads format "${FORMAT}"`);
  }
  // Claims come from histories, which other programs write to as well: a hash ends up in a file's name.
  if (namespace === undefined || !HASH.test(root) || !BYTES.test(bytes)) {
    throw new StoredClaimInvalid('its namespace, root or length is malformed');
  }
  return { namespace, root, bytes: Number(bytes) };
}
