const MISTYPED = 2;
/** The number for a short name is less: another name is near every one. */
const SHORT = 5;
/** Longer names are not compared: the comparison is quadratic. */
const LONGEST = 100;

/**
 * Computes the number of steps between two texts: inserting, removing or changing a character, or swapping two neighbours
 * (the optimal string alignment distance: Damerau 1964, as restricted by Boytsov 2011). Quadratic, so for names only.
 */
export function editDistance(first: string, second: string): number {
  const rows: number[][] = [Array.from({ length: second.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= first.length; row += 1) {
    const line = [row];
    const above = rows[row - 1]!;
    for (let column = 1; column <= second.length; column += 1) {
      const differs = first[row - 1] === second[column - 1] ? 0 : 1;
      const swapped = first[row - 1] === second[column - 2] && first[row - 2] === second[column - 1];
      const bySwap = row > 1 && column > 1 && swapped ? rows[row - 2]![column - 2]! + 1 : Infinity;
      line.push(Math.min(above[column]! + 1, line[column - 1]! + 1, above[column - 1]! + differs, bySwap));
    }
    rows.push(line);
  }
  return rows.at(-1)!.at(-1)!;
}

const foldName = (name: string): string => name.replaceAll(/[_-]/g, '').toLowerCase();

/** Finds the name that was most likely intended by one that is mistyped, or written in another case; undefined if none is near. */
export function nearestName(said: string, names: readonly string[]): string | undefined {
  // A field of another form is not mistyped.
  if (said.length > LONGEST || names.includes(said)) return undefined;
  const word = foldName(said);
  const most = word.length <= SHORT ? 1 : MISTYPED;
  let nearest: string | undefined;
  let least = most + 1;
  for (const name of names) {
    // A name that is longer or shorter by more than that takes more steps.
    if (name.length + most < word.length) continue;
    const other = foldName(name);
    if (Math.abs(other.length - word.length) > most) continue;
    const distance = editDistance(word, other);
    if (distance >= least) continue;
    nearest = name;
    least = distance;
  }
  // A tool of a server by its own name alone, or an own name in its full form.
  return nearest ?? names.find((name) => name.endsWith(`.${said}`) || said.endsWith(`.${name}`));
}

export function didYouMean(said: string, names: readonly string[]): string {
  const near = nearestName(said, names);
  return near === undefined ? '' : ` (did you mean ${near}?)`;
}

export function unknownField(key: string, fields: readonly string[]): string {
  return `unknown field${didYouMean(key, fields)}`;
}
