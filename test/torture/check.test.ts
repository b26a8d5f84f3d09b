import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check } from '../../testing/torture/check';
import type { Invariant } from '../../testing/torture/checks/violation';
import {
  readRecord,
  type RunRecord,
  type SendRecord,
  type StallRecord,
  type TortureRecord,
  writeRecord,
} from '../../testing/torture/record';
import { reportText } from '../../testing/torture/report';
import { correctRecord } from './correct-record';

const runOf = (record: TortureRecord, runId: string): RunRecord =>
  record.chains.flatMap(({ runs }) => runs).find((run) => run.runId === runId)!;
const resultOf = (record: TortureRecord, runId: string) => runOf(record, runId).end!.result!;
const sendOf = (record: TortureRecord, call: string, attempt = 1) =>
  record.sends.find((send) => send.call === call && send.attempt === attempt)!;

/** Another response for the call of C, whose activity ends with that attempt. */
function beginAgain(record: TortureRecord, changes: Partial<SendRecord>): void {
  const again = { ...sendOf(record, 'C/write/1'), worker: 'w2', attempt: 2, at: 940, response: 'resp_2', ...changes };
  record.sends.push(again);
  runOf(record, 'c1').activities[0]!.attempt = again.attempt;
}

/** What is done to the correct record, and the one promise that is broken then. */
const DOCTORED: [string, Invariant, (record: TortureRecord) => void][] = [
  [
    'an acknowledged start without a run',
    'lost',
    (record) => {
      record.chains.splice(1, 1);
      record.sends.splice(3, 2);
    },
  ],
  [
    'a run that failed',
    'lost',
    (record) => Object.assign(runOf(record, 'b1').end!, { kind: 'failed', result: undefined }),
  ],
  [
    'a run that was cancelled',
    'lost',
    (record) => Object.assign(runOf(record, 'b1').end!, { kind: 'cancelled', result: undefined }),
  ],
  ['a run that goes on', 'stuck', (record) => delete runOf(record, 'a2').end],
  [
    'a second start of the same id',
    'doubled',
    ({ chains }) => chains[1]!.runs.push({ ...chains[1]!.runs[0]!, runId: 'b2' }),
  ],
  [
    'two runs that continue the same one',
    'doubled',
    ({ chains }) => chains[0]!.runs.push({ ...chains[0]!.runs[0]!, runId: 'a3' }),
  ],
  ['a run that ended and was continued', 'doubled', (record) => (runOf(record, 'a1').end!.kind = 'completed')],
  ['a version that is missing in the result', 'gap', (record) => resultOf(record, 'b1').history.versions.shift()],
  ['a version that was counted twice', 'gap', (record) => (resultOf(record, 'b1').iterationsUsed = 2)],
  [
    'an iteration that was done twice in the chain',
    'gap',
    (record) => (runOf(record, 'a2').activities[0]!.iteration = 1),
  ],
  [
    'a recorded call that a later attempt sent again',
    'resent',
    (record) => (runOf(record, 'a2').activities[0]!.attempt = 1),
  ],
  [
    'a recorded call that was sent again later',
    'resent',
    ({ sends, kills }) => {
      sends.push({ ...sends[0]!, at: 850 });
      kills.push({ what: 'server', at: 700, until: 710 });
    },
  ],
  [
    'a recorded call that another activity made again',
    'resent',
    (record) => {
      sendOf(record, 'B/write/2').call = 'B/write/1';
      record.kills.push({ what: 'server', at: 1_300, until: 1_310 });
    },
  ],
  ['a call that was sent twice without a kill', 'oversent', ({ kills }) => kills.splice(0)],
  ['a call that was sent twice because of another worker’s kill', 'oversent', ({ kills }) => (kills[0]!.worker = 'w2')],
  [
    'a call that was sent twice because of an earlier kill',
    'oversent',
    ({ kills }) => Object.assign(kills[0]!, { at: 100, until: 110 }),
  ],
  [
    'a call that was sent three times for one kill',
    'oversent',
    ({ sends }) => {
      sends.push({ ...sends[2]!, at: 1_210 });
    },
  ],
  [
    'a call for an activity that nobody scheduled',
    'oversent',
    (record) => (sendOf(record, 'B/write/1').activityId = '9'),
  ],
  [
    'a response that was begun again by an attempt that was handed the id of one',
    'paid-again',
    (record) => beginAgain(record, { given: 'resp_1' }),
  ],
  [
    'a response that was begun again after an attempt that was handed the id of one',
    'paid-again',
    (record) => {
      record.noted = [];
      beginAgain(record, { attempt: 3 });
    },
  ],
  [
    'a response that was begun again after the server had been seen to have the id of one',
    'paid-again',
    (record) => {
      record.asked.splice(1);
      beginAgain(record, {});
    },
  ],
  [
    'a response that was begun again where an id had reached a heartbeat, whatever was killed',
    'paid-again',
    (record) => {
      record.kills.splice(1, 1, { what: 'server', at: 800, until: 810 });
      beginAgain(record, { given: 'resp_1' });
    },
  ],
  [
    'an acknowledged command that the run does not know',
    'command-lost',
    (record) => {
      record.commands.push({ ...record.commands[1]!, id: 'B-3' });
    },
  ],
  [
    'an acknowledged update that was not applied',
    'command-lost',
    (record) => {
      record.commands.push({ ...record.commands[1]!, id: 'B-3', via: 'update' });
      const refused = {
        name: 'accept',
        payload: { id: 'B-3' },
        at: new Date(1_460).toISOString(),
        via: 'update' as const,
        applied: false,
      };
      resultOf(record, 'b1').history.people.push(refused);
    },
  ],
  [
    'a command without its effect',
    'command-lost',
    (record) => (resultOf(record, 'b1').convergenceReason = 'quality_met'),
  ],
  [
    'an effect without a command',
    'command-lost',
    (record) => {
      resultOf(record, 'a2').convergenceReason = 'aborted';
      record.faultFree['A']!.convergenceReason = 'aborted';
    },
  ],
  [
    'a command that was applied twice',
    'command-doubled',
    (record) => {
      const { people } = resultOf(record, 'b1').history;
      people.push({ ...people[0]! });
    },
  ],
  ['a command that nobody sent', 'command-doubled', (record) => record.commands.splice(0, 2)],
  ['a command that was acknowledged after the end', 'command-late', (record) => (record.commands[1]!.sentAt = 2_500)],
  [
    'a command that was applied after the end',
    'command-late',
    (record) => {
      resultOf(record, 'b1').history.people[0]!.at = new Date(2_500).toISOString();
    },
  ],
  ['tokens that were counted twice', 'tokens', (record) => (resultOf(record, 'b1').tokenUsage.totalTokens += 15)],
  [
    'tokens of a recorded answer that are missing',
    'tokens',
    (record) => {
      sendOf(record, 'A/write/2', 2).usage!.prompt_tokens = 11;
    },
  ],
  ['an answer that nobody is seen to have picked up', 'tokens', (record) => record.asked.splice(1)],
  ['a call that was not counted', 'tokens', (record) => (resultOf(record, 'b1').tokenUsage.modelCalls = 0)],
  ['another output than without faults', 'result', (record) => (record.faultFree['A']!.finalOutput = 'something else')],
  ['no result to compare with', 'result', (record) => delete record.faultFree['A']],
];

describe('the checker', () => {
  test('finds nothing in a correct record, saved and read again', () => {
    const folder = mkdtempSync(join(tmpdir(), 'reflect-record-'));
    const file = join(folder, 'below', 'record.json');
    writeRecord(file, correctRecord());
    const record = readRecord(file);
    rmSync(folder, { recursive: true });
    expect(check(record)).toEqual([]);
    expect(reportText(record, [])).toContain(
      '0 lost, 0 doubled, 0 recorded calls sent again, 0 paid again in the background, 0 stuck',
    );
  });

  test.each(DOCTORED)('finds %s', (_, invariant, doctor) => {
    const record = structuredClone(correctRecord());
    doctor(record);
    const found = check(record);
    expect([...new Set(found.map((violation) => violation.invariant))]).toEqual([invariant]);
    expect(reportText(record, found)).toContain(found[0]!.message);
  });

  test('does not know of answers that came while a person ended the run', () => {
    const record = correctRecord();
    const result = resultOf(record, 'b1');
    result.tokenUsage = {
      ...result.tokenUsage,
      promptTokens: 20,
      completionTokens: 10,
      totalTokens: 30,
      modelCalls: 2,
    };
    expect(check(record)).toEqual([]);
  });

  test('lets a response be begun again whose id no heartbeat had brought to the server', () => {
    const record = correctRecord();
    record.noted = [];
    record.asked.splice(1);
    beginAgain(record, {});
    expect(check(record)).toEqual([]);
    expect(reportText(record, [])).toContain('2 responses begun, 0 seen at the server in heartbeats, 0 picked up');
    expect(reportText(correctRecord(), [])).toContain('1 seen at the server in heartbeats, 1 picked up');
  });

  test('takes a stall that looked like a death as a reason to send again', () => {
    const stalled = (stall: StallRecord) => {
      const record = correctRecord();
      record.kills = [];
      record.stalls = [stall];
      return check(record).map(({ invariant }) => invariant);
    };
    const until = 1_000;
    expect(stalled({ what: 'worker', worker: 'w1', at: -3_000, until })).toEqual([]);
    expect(stalled({ what: 'server', at: -3_000, until })).toEqual([]);
    expect(stalled({ what: 'runner', at: -3_000, until })).toEqual([]);
    // What arrived meanwhile is read a moment after it.
    expect(stalled({ what: 'runner', at: -3_000, until: 700 })).toEqual([]);
    expect(stalled({ what: 'worker', worker: 'w2', at: -3_000, until })).toEqual(['oversent']);
    expect(stalled({ what: 'worker', worker: 'w1', at: -3_000, until: 200 })).toEqual(['oversent']);
    // A stall of less than 3 s repeats nothing: docs/guarantees.md.
    expect(stalled({ what: 'worker', worker: 'w1', at: -1_900, until })).toEqual(['oversent']);
  });

  test('knows that a call may reach the provider a moment after its worker was killed', () => {
    const record = correctRecord();
    Object.assign(record.kills[0]!, { at: 500, until: 505 });
    expect(check(record)).toEqual([]);
  });

  test('takes a kill of the server as a reason to send again', () => {
    const record = correctRecord();
    record.kills = [{ what: 'server', at: 1_000, until: 1_100 }];
    expect(check(record)).toEqual([]);
  });
});
