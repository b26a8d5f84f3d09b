import { SdkCopiesError } from '../../../worker';
import { assertOneSdk, sdkVersion } from '../../../worker/sdk/sdk-copies';
import { sdkGaps } from '../../../worker/sdk/sdk-gaps';
import type { Finding } from './model-findings';

/** Reports which version of the SDK is here, what loops lack with it, and whether there are two copies. */
export function sdkFindings(version = sdkVersion(), assertOne: () => void = assertOneSdk): Finding[] {
  try {
    assertOne();
  } catch (error) {
    if (error instanceof SdkCopiesError) return [{ well: false, text: error.message }];
    throw error;
  }
  const gaps = sdkGaps(version);
  return [{ well: true, text: `Temporal SDK ${version}${gaps.length === 0 ? '' : `: ${gaps.join('; ')}`}` }];
}
