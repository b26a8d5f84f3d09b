export type Fence = (label: string, text: string) => string;

export const CODE_LENGTH = 8;

export function between(label: string, text: string, code: string): string {
  return `<<<${label} ${code}\n${text}\n${code} ${label}>>>`;
}

/** Fences with codes drawn for each text: `draw` gives random UUIDs, deterministic in a workflow. */
export function fenceBy(draw: () => string): Fence {
  return (label, text) => {
    let code: string;
    do code = draw().replaceAll('-', '').slice(-CODE_LENGTH);
    while (text.includes(code));
    return between(label, text, code);
  };
}
