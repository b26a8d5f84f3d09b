export function isSwitchedOn(variable: string | undefined): boolean {
  return /^(?:1|true|yes)$/i.test(variable ?? '');
}
