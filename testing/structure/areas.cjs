/** Sorts the files of `src` into the areas of the table in .oxlintrc.json, for lint and `npm run structure`. */

const segmentsOf = (place) => place.split('/');

/**
 * Returns whether an area covers a place; `*` in its name is any one folder.
 *
 * @param {string} area
 * @param {string} place without the ending of a file
 */
function covers(area, place) {
  const segments = segmentsOf(place);
  return segmentsOf(area).every((name, index) => name === segments[index] || (name === '*' && index in segments));
}

/** Compares areas: the longer one, and of two that are as long the one without `*`, stands first. */
const byNearness = (one, other) =>
  segmentsOf(other).length - segmentsOf(one).length || Number(one.includes('*')) - Number(other.includes('*'));

/**
 * Returns the area of a place below `src`: the longest name of an area that covers it, else the first folder.
 *
 * @param {readonly string[]} areas
 * @param {string} place without the ending of a file
 */
function areaOf(areas, place) {
  const [nearest] = areas.filter((area) => covers(area, place)).toSorted(byNearness);
  return nearest ?? segmentsOf(place)[0];
}

/**
 * Returns the folder that is this area where the place is: `kinds/plan` for the area `kinds/*`.
 *
 * @param {string} area
 * @param {string} place
 */
function folderOf(area, place) {
  return segmentsOf(place).slice(0, segmentsOf(area).length).join('/');
}

module.exports = { areaOf, covers, folderOf };
