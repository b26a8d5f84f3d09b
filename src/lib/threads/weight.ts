const OF_A_VALUE = 8;

/** Returns whether a value takes little: its texts and its parts together stay below a limit. Looks at no more than that. */
export function isLighterThan(limit: number, value: unknown): boolean {
  let left = limit;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    left -= OF_A_VALUE + (typeof next === 'string' ? next.length : 0);
    if (left < 0) return false;
    if (typeof next !== 'object' || next === null) continue;
    if (Array.isArray(next)) {
      if (next.length * OF_A_VALUE > left) return false;
      open.push(...(next as unknown[]));
    } else {
      for (const key in next) {
        left -= key.length + OF_A_VALUE;
        if (left < 0) return false;
        open.push((next as Record<string, unknown>)[key]);
      }
    }
  }
  return true;
}
