/** Puts a text between markers that cannot be foreseen. */
export type Fence = (label: string, text: string) => string;

export const CODE_LENGTH = 8;

export function between(label: string, text: string, code: string): string {
  return `<<<${label} ${code}\n${text}\n${code} ${label}>>>`;
}

/**
 * Fences whose codes are drawn for each text.
 *
 * @param draw a random UUID, from what is deterministic where it is a workflow that draws
 */
export function fenceBy(draw: () => string): Fence {
  return (label, text) => {
    let code: string;
    do code = draw().replaceAll('-', '').slice(-CODE_LENGTH);
    while (text.includes(code));
    return between(label, text, code);
  };
}
