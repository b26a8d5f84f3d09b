/** Sorts the files of `src` into the areas of the table in .oxlintrc.json, for lint and `npm run structure`. */

/**
 * Returns the area of a place below `src`: the longest name of an area that covers it, else the first folder.
 *
 * @param {readonly string[]} areas
 * @param {string} place without the ending of a file
 */
function areaOf(areas, place) {
  const covering = areas.filter((area) => place === area || place.startsWith(`${area}/`));
  return covering.toSorted((one, other) => other.length - one.length)[0] ?? place.split('/')[0];
}

module.exports = { areaOf };
