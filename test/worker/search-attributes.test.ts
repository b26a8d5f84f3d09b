import { randomUUID } from 'node:crypto';
import { temporal } from '@temporalio/proto';
import { NativeConnection } from '@temporalio/worker';
import { doctor } from '../../src/cli/doctor';
import { attributeGaps } from '../../src/domain/search-attributes';
import { ReflectionClient } from '../../src/client';
import { createWorker } from '../../src/worker';
import { InProcess } from '../cli/in-process';
import { eventually } from '../support/eventually';
import '../support/quiet';
import { testAddress } from '../support/temporal-server';

const { INDEXED_VALUE_TYPE_DOUBLE, INDEXED_VALUE_TYPE_INT, INDEXED_VALUE_TYPE_KEYWORD } =
  temporal.api.enums.v1.IndexedValueType;

const ours = {
  ReflectionStatus: INDEXED_VALUE_TYPE_KEYWORD,
  ReflectionIteration: INDEXED_VALUE_TYPE_INT,
  ReflectionBestScore: INDEXED_VALUE_TYPE_DOUBLE,
  ReflectionReason: INDEXED_VALUE_TYPE_KEYWORD,
};
const others = { ...ours, ReflectionIteration: INDEXED_VALUE_TYPE_KEYWORD };

test('what a namespace lacks: attributes that are not there, and those of another type', () => {
  expect(attributeGaps(ours)).toEqual({ missing: [], otherType: [] });
  expect(attributeGaps(others)).toEqual({ missing: [], otherType: ['ReflectionIteration'] });
  expect(attributeGaps({ ReflectionStatus: INDEXED_VALUE_TYPE_INT }).missing).toHaveLength(3);
  expect(attributeGaps(undefined).missing).toEqual(Object.keys(ours));
});

test('in a namespace where a search attribute has another type, runs work as without them, and doctor says so', async () => {
  const namespace = `other-types-${randomUUID()}`;
  const connection = await NativeConnection.connect({ address: testAddress() });
  const workflowExecutionRetentionPeriod = { seconds: 86_400 as never };
  await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod });
  await eventually(
    () =>
      connection.operatorService.addSearchAttributes({ namespace, searchAttributes: others }).then(
        () => true,
        () => false,
      ),
    (added) => added,
  );
  const place = { address: testAddress(), namespace, taskQueue: `other-types-${randomUUID()}` };
  const worker = await createWorker({ ...place, connection });
  const working = worker.run();
  const client = await ReflectionClient.connect(place);
  const terminal = new InProcess({ address: testAddress(), client });
  try {
    const generator = { action: 'validate.schema', with: { data: 1, schema: true } };
    const result = await client.run({ generator, evaluator: { type: 'schema', schema: true } });
    expect(result.convergenceReason).toBe('quality_met');
    const findings = await terminal.printed(() => doctor(place));
    expect(findings).toContain('✗ Search attributes of another type than ours: ReflectionIteration\n');
  } finally {
    terminal.close();
    await client.close();
    worker.shutdown();
    await working;
    await connection.close();
  }
}, 60_000);
