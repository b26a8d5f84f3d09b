import { isGrpcServiceError, type OperatorService } from '@temporalio/client';
import { temporal } from '@temporalio/proto';

import { SEARCH_ATTRIBUTE_TYPES } from '../../lib/names/search-attributes';

const { IndexedValueType } = temporal.api.enums.v1;
const ALREADY_EXISTS = 6;

type Registration = 'registered' | 'already there' | { unavailable: string };

/**
 * Registers our four search attributes in a namespace, if they are missing. A server that refuses (no permission, no
 * such service, no free column) is not a failure: runs work the same without them, and the run list shows less.
 */
export async function registerSearchAttributes(
  connection: { operatorService: OperatorService },
  namespace: string,
): Promise<Registration> {
  try {
    return await register(connection.operatorService, namespace);
  } catch (error) {
    if (isGrpcServiceError(error)) return { unavailable: error.details || error.message };
    throw error;
  }
}

async function register(operator: OperatorService, namespace: string): Promise<Registration> {
  const { customAttributes } = await operator.listSearchAttributes({ namespace });
  const missing: Record<string, temporal.api.enums.v1.IndexedValueType> = {};
  for (const [name, type] of Object.entries(SEARCH_ATTRIBUTE_TYPES)) {
    const wanted = IndexedValueType[`INDEXED_VALUE_TYPE_${upper(type)}`];
    const present = customAttributes?.[name];
    if (present === undefined) missing[name] = wanted;
    else if (present !== wanted) return { unavailable: `${name} is there with another type than ${type}` };
  }
  if (Object.keys(missing).length === 0) return 'already there';
  try {
    await operator.addSearchAttributes({ namespace, searchAttributes: missing });
  } catch (error) {
    // Another process registered them between our question and our request.
    const code: number | undefined = isGrpcServiceError(error) ? error.code : undefined;
    if (code === ALREADY_EXISTS) return 'already there';
    throw error;
  }
  return 'registered';
}

function upper<Type extends string>(type: Type): Uppercase<Type> {
  return type.toUpperCase() as Uppercase<Type>;
}
