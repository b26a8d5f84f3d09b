import type { Client } from '@temporalio/client';
import type { Json } from '../lib/json/json';
import { jsonPointer } from '../lib/json/json-pointer';
import { ServerRequestError } from '../loop/errors/call-errors';
import { InvalidSpecError } from '../loop/errors/errors';

/** The most bytes of a request: the server answers a larger one in a way that the SDK takes for an outage, and tries again. */
const MOST_REQUEST_BYTES = 4 * 1024 * 1024;

const SAID_BY_SERVER = /blob data size|size exceeds limit|larger than max/i;

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

function largestPart(value: unknown): { path: string[]; bytes: number } {
  const path: string[] = [];
  let here = value;
  let bytes = bytesOf(value);
  while (typeof here === 'object' && here !== null) {
    const parts = Object.entries(here as Record<string, Json>).map(([key, part]) => ({
      key,
      part,
      bytes: bytesOf(part),
    }));
    const largest = parts.toSorted((one, other) => other.bytes - one.bytes)[0];
    if (!largest || largest.bytes < bytes / 2) break;
    path.push(largest.key);
    here = largest.part;
    bytes = largest.bytes;
  }
  return { path, bytes };
}

function tooLarge(argument: unknown): InvalidSpecError {
  const { path, bytes } = largestPart(argument);
  const message =
    `has ${bytes.toLocaleString('en')} bytes as JSON, and a start takes 2 MB at most in all: ` +
    'set REFLECT_STORAGE for client and worker, which keeps large values elsewhere, or let an action read it';
  return new InvalidSpecError([{ path: jsonPointer(path), message }]);
}

/** Starts a run whose argument may be larger than the server takes. Throws InvalidSpecError with the largest part of it. */
export async function startOfFittingSize<T>(temporal: Client, argument: unknown, start: () => Promise<T>): Promise<T> {
  const { payloadCodecs, externalStorage } = temporal.options.loadedDataConverter;
  const isSentAsItIs = payloadCodecs.length === 0 && externalStorage === undefined;
  if (isSentAsItIs && bytesOf(argument) > MOST_REQUEST_BYTES) throw tooLarge(argument);
  try {
    return await start();
  } catch (error) {
    throw error instanceof ServerRequestError && SAID_BY_SERVER.test(error.message) ? tooLarge(argument) : error;
  }
}
