/**
 * The ratchet: how large the project may be. Ceilings only fall; an issue that says so raises one. Counted are lines and bytes, so that
 * neither long lines nor another formatter make room.
 */
const { execFileSync } = require('node:child_process');
const { readFileSync } = require('node:fs');
const path = require('node:path');

const CEILINGS = 'size.json';
/** Columns that count as one line. */
const COLUMNS = 120;
/** The share of a ceiling that may be unused before it has to be lowered. */
const SPARE = 0.02;
const FORMATTER = '.prettierrc.json';

/** The part of the project that a file counts in; files of `src` count in all of `src`, too. */
function partsOf(file) {
  const [top, folder, ...rest] = file.split('/');
  if (top === 'src') return ['src', rest.length > 0 ? `src/${folder}` : 'src/*'];
  if (['test', 'testing', 'scripts'].includes(top)) return [top];
  return ['examples', 'templates', 'deploy', 'bin'].includes(top) ? ['examples, templates, deploy, bin'] : [];
}

/** The group of texts that a page counts in. */
function wordsPart(file) {
  if (/^docs\/[^/]+\.md$/.test(file)) return 'guides';
  return /^docs\/decisions\/.+\.md$/.test(file) ? 'decisions' : undefined;
}

function countLines(text) {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / COLUMNS)), 0);
}

function countWords(text) {
  return text.split(/\s+/).filter((word) => /\w/.test(word)).length;
}

/**
 * Counts lines, bytes and words of all tracked text files but lock files.
 *
 * @param project the folder of the repository
 */
function measureSize(project) {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: project, encoding: 'utf8' }).split('\0');
  const sizes = {};
  const words = {};
  for (const file of files) {
    const parts = partsOf(file);
    const page = wordsPart(file);
    if ((parts.length === 0 && !page) || path.basename(file) === 'package-lock.json') continue;
    let bytes;
    try {
      bytes = readFileSync(path.join(project, file));
    } catch {
      // Deleted, and not committed yet.
      continue;
    }
    if (bytes.includes(0)) continue;
    const text = bytes.toString('utf8');
    if (page) words[page] = (words[page] ?? 0) + countWords(text);
    for (const part of parts) {
      const [lines = 0, size = 0] = sizes[part] ?? [];
      sizes[part] = [lines + countLines(text), size + bytes.length];
    }
  }
  const formatter = JSON.parse(readFileSync(path.join(project, FORMATTER), 'utf8'));
  return { formatter, sizes, words };
}

function readCeilings(project) {
  return JSON.parse(readFileSync(path.join(project, CEILINGS), 'utf8'));
}

const UNITS = ['lines', 'bytes'];

/** Each figure of a measure by its name. */
function figuresOf({ sizes, words }) {
  return new Map([
    ...Object.entries(sizes).flatMap(([part, counts]) =>
      counts.map((count, unit) => [`${UNITS[unit]} of ${part}`, count]),
    ),
    ...Object.entries(words).map(([part, count]) => [`words of ${part}`, count]),
  ]);
}

/** Lists the figures above their ceiling, and the ceilings that are too high or missing. */
function sizeProblems(measured, ceilings) {
  const figures = figuresOf(measured);
  const most = figuresOf(ceilings);
  const problems = [...figures].flatMap(([name, count]) => {
    const ceiling = most.get(name);
    if (ceiling === undefined) return [`${name}: there is no ceiling`];
    if (count > ceiling) return [`${name}: ${count}, and at most ${ceiling} are allowed`];
    if (count >= ceiling * (1 - SPARE)) return [];
    return [`${name}: ${count}, so lower the ceiling of ${ceiling}: npm run check -- --lower`];
  });
  const gone = [...most.keys()]
    .filter((name) => !figures.has(name))
    .map((name) => `${name}: nothing is counted any more`);
  const isSame = JSON.stringify(measured.formatter) === JSON.stringify(ceilings.formatter);
  return [...problems, ...gone, ...(isSame ? [] : [`the settings of the formatter (${FORMATTER}) have changed`])];
}

/** The ceilings at the figures, where these are lower. Nothing rises; a part without a ceiling gets one. */
function lowerCeilings(measured, ceilings) {
  const least = (one, other = Infinity) => Math.min(one, other);
  const entries = (of, lowest) =>
    Object.fromEntries(Object.entries(of).map(([part, count]) => [part, lowest(part, count)]));
  return {
    ...ceilings,
    sizes: entries(measured.sizes, (part, counts) =>
      counts.map((count, unit) => least(count, ceilings.sizes[part]?.[unit])),
    ),
    words: entries(measured.words, (part, count) => least(count, ceilings.words[part])),
  };
}

module.exports = { CEILINGS, measureSize, readCeilings, sizeProblems, lowerCeilings };
