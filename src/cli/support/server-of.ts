import type { ReflectionClient } from '../../client';

/** The address and namespace that a client speaks to. */
export function serverOf({ temporal }: ReflectionClient): { address: string; namespace: string } {
  const { options } = temporal.connection as { options?: { address?: string } };
  return { address: options?.address ?? '', namespace: temporal.options.namespace };
}
