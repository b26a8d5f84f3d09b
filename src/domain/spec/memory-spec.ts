import type { MemorySpec } from '../../contract/memory';
export type { MemorySpec } from '../../contract/memory';

/** With every default. */
export type MemorySettings = Required<Omit<MemorySpec, 'expiresAfter'>> & Pick<MemorySpec, 'expiresAfter'>;

/** The settings of a spec's memory. */
export function memorySettings({ agent, recall = 5, store = true, expiresAfter }: MemorySpec): MemorySettings {
  return { agent, recall, store, ...(expiresAfter === undefined ? {} : { expiresAfter }) };
}
