import { called, type Row } from './call-rows';

const unmade = { outcome: 'not_made' } as const;
const reported = { source: 'reported' } as const;

/** Rules about calls that were not made, and names of calls by either key. */
export const UNMADE_ROWS: Row[] = [
  [
    'a call that was not made',
    { must: ['find'] },
    [called('find', {}, 'a person refused it', unmade)],
    [/^find was not called in the end: a person refused it$/],
  ],
  ['a barred call that was not made', { mustNot: ['find'] }, [called('find', {}, '', unmade)], []],
  [
    'a reported barred call that was not made',
    { mustNot: ['find'] },
    [called('find', {}, '', { ...unmade, ...reported })],
    [],
  ],
  [
    'a limit, and a call that was not made',
    { atMost: { find: 1 } },
    [called('find', {}, '', unmade), called('find')],
    [],
  ],
  [
    'a change that was not made after a call',
    { must: ['find'], after: true },
    [called('find'), called('write', {}, '', unmade)],
    [],
  ],
  [
    'an order with a call that was not made',
    { order: ['find', 'write'] },
    [called('find'), called('write', {}, '', unmade)],
    [/^write was not called after find$/],
  ],
  ['a call that is named by `call`', { must: [{ call: 'find' }] }, [called('find')], []],
  [
    'a barred call that is named by `call`',
    { mustNot: [{ call: 'find' }] },
    [called('find')],
    [/^find was called, which is not allowed$/],
  ],
];
