const { readFileSync } = require('node:fs');
const { default: Sequencer } = require('@jest/test-sequencer');

/** The end of a test or a hook that is given a time of its own: `}, 240_000);`. */
const OWN_TIME = /^\s*\}, (\d[\d_]*)\);$/gm;

/** Returns the longest time in milliseconds that a file gives to one of its tests; 0 where all have the ordinary one. */
function longestTime(file) {
  const times = [...readFileSync(file, 'utf8').matchAll(OWN_TIME)].map(([, time]) => Number(time.replaceAll('_', '')));
  return Math.max(0, ...times);
}

/**
 * Runs the files first whose tests may take longest. Jest knows how long they took the last time; in a new clone it begins with
 * the largest files, and a short file that waits for two minutes is left to the end, where nothing runs beside it.
 */
module.exports = class extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    if (sorted.some((test) => test.duration !== undefined)) return sorted;
    const times = new Map(sorted.map((test) => [test, longestTime(test.path)]));
    return sorted.toSorted((a, b) => times.get(b) - times.get(a));
  }
};
