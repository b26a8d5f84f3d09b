import { MOCK_KINDS } from './mocks';
import type { ModelKind } from './model-kind';
import { HTTP_KINDS } from './over-http';

/** All ways in which a worker calls models. */
export const MODEL_KINDS: readonly ModelKind[] = [...HTTP_KINDS, ...MOCK_KINDS];
