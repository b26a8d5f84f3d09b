import { sdkFindings } from '../../src/apps/cli/commands/doctor';
import { SdkCopiesError } from '../../src/worker/sdk/sdk-copies';
import { sdkGaps } from '../../src/worker/sdk/sdk-gaps';

const GAPS = [
  'the idempotencyKey of an action changes when its run is reset, until SDK 1.23',
  'runs cannot be recorded for tests (recordRun), until SDK 1.23',
];

test.each<[version: string, gaps: string[]]>([
  ['1.22.0', GAPS],
  ['1.22.7', GAPS],
  ['1.23.0', []],
  ['1.24.0', []],
  ['2.0.0', []],
])('what loops lack with SDK %s is said by the doctor', (version, gaps) => {
  expect(sdkGaps(version)).toEqual(gaps);
  const told = gaps.length === 0 ? '' : `: ${gaps.join('; ')}`;
  expect(sdkFindings(version)).toEqual([{ well: true, text: `Temporal SDK ${version}${told}` }]);
});

test('the doctor tells of two copies of the SDK', () => {
  const copies = ['1.22.0', '1.24.0'].map((version) => ({
    name: '@temporalio/common',
    version,
    folder: `/${version}`,
  }));
  const [finding] = sdkFindings('1.24.0', () => {
    throw new SdkCopiesError([copies[0]!, copies[1]!]);
  });
  expect(finding).toMatchObject({
    well: false,
    text: expect.stringContaining('1.22.0 (/1.22.0) and 1.24.0') as string,
  });
});
