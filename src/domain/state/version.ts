export type { Origin, Reflection, ReflectionVersion, Trigger } from '../../contract/results';
