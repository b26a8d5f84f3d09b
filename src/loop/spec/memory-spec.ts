import type { MemorySpec } from '../contract/memory';
import { MEMORY_DEFAULTS } from '../base/defaults';
import { omitUndefined } from '../../lib/base/defined';

export type MemorySettings = Required<Omit<MemorySpec, 'expiresAfter'>> & Pick<MemorySpec, 'expiresAfter'>;

export function memorySettings(spec: MemorySpec): MemorySettings {
  return { ...MEMORY_DEFAULTS, ...omitUndefined(spec) };
}
