export type { Duration } from '../../contract/values';
