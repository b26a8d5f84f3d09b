import { Runtime } from '@temporalio/worker';
import { sdkVersion } from './sdk-copies';

/** Features that need a newer SDK: since which minor version of 1 they work, and what is missing without it. */
const GAPS = {
  /** An older SDK does not report which run was reset. */
  keysAfterReset: { since: 23, without: 'the idempotencyKey of an action changes when its run is reset' },
  /** Its writer of histories as JSON refuses every payload. */
  recordings: { since: 23, without: 'runs cannot be recorded for tests (recordRun)' },
} as const;

export function lacks(gap: keyof typeof GAPS, version = sdkVersion()): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major === 1 && minor < GAPS[gap].since;
}

/** Lists the features that loops lack with a version of the SDK, one text for each; none with the newest. */
export function sdkGaps(version: string): string[] {
  return Object.entries(GAPS)
    .filter(([gap]) => lacks(gap as keyof typeof GAPS, version))
    .map(([, { since, without }]) => `${without}, until SDK 1.${since}`);
}

let isTold = false;

export function tellSdkGaps(): void {
  if (isTold) return;
  isTold = true;
  const sdk = sdkVersion();
  for (const gap of sdkGaps(sdk)) Runtime.instance().logger.info(`with this SDK, ${gap}`, { sdk });
}
