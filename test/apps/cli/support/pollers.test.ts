import { presenceText, presentPollers } from '../../../../src/apps/cli/support/pollers';

const poller = (silentSeconds: number, hasEnded = false) => ({ silentMs: silentSeconds * 1_000, hasEnded });

describe('what is said of the workers of a queue', () => {
  test.each([
    ['one that just asked', [poller(40), poller(1)], true, 'a worker serves it'],
    ['one that may wait, or may be dead', [poller(40)], true, 'a worker was seen 40 s ago; an idle one shows itself'],
    ['nobody', [], false, 'no worker'],
    ['one that is silent for too long', [poller(80)], false, 'no worker: the last was seen 1 min 20 s ago'],
    ['one that was killed on this machine', [poller(2, true)], false, 'seen 2 s ago, and its process has ended'],
    ['one that was killed, and another', [poller(2, true), poller(30)], true, 'a worker was seen 30 s ago'],
    ['one that was killed, and another long silent', [poller(2, true), poller(80)], false, 'seen 2 s ago'],
  ])('%s', (_what, pollers, well, text) => {
    const said = presenceText(pollers);
    expect(said).toEqual({ well, text: expect.stringContaining(text) });
    expect(presentPollers(pollers).length > 0).toBe(well);
  });
});
