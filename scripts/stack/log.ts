/** Prints lines with the seconds since it was made. */
export function logger(): (line: string) => void {
  const began = performance.now();
  return (line) => console.log(`${((performance.now() - began) / 1_000).toFixed(0).padStart(5)} s  ${line}`);
}
