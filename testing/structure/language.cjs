/**
 * The rules of language that lint and `npm run structure` share. The lists are in test/repository/language; this is CommonJS, so
 * that the lint plugin, which Node loads as it is, can use it.
 */
const { readFileSync } = require('node:fs');
const path = require('node:path');

const LISTS = path.join(__dirname, '..', '..', 'test', 'repository', 'language');
const read = (file) => readFileSync(path.join(LISTS, file), 'utf8');
const linesOf = (file) => read(file).split('\n').filter(Boolean);
const anyOf = (phrases) => phrases.map((phrase) => phrase.replaceAll(' ', String.raw`\s+`)).join('|');

const VERBS = new Set(linesOf('verbs.txt'));
const OPENING = new RegExp(`^(?:${anyOf(linesOf('docstring-openings.txt'))})(?![\\w-])`);
const DIALECT = new RegExp(
  `(?<![\\w'’-])(?:${anyOf(Object.keys(JSON.parse(read('dialect-words.json'))))})(?![\\w'’-])`,
  'gi',
);

const IRREGULAR_PARTICIPLES = new Set(
  `begun bought bound broken brought built caught chosen done drawn driven fallen found forgotten given gone grown heard held hidden
  kept known left lost made meant met overridden paid said seen sent shown spent spoken stood stolen sworn taken taught thought thrown
  told understood unheard unsaid withdrawn won worn written`.split(/\s+/),
);
/** Words that end as participles do and are none. */
const NO_PARTICIPLES = new Set(
  `bring ceiling during embed embedding encoding exceed feed finding heading indeed meaning need nothing padding ping proceed ranking
  rating reading recording red ring ruling seed setting something speed spring string succeed thing warning`.split(
    /\s+/,
  ),
);
/** Words that turn a participle into no noun phrase: `askedFor`, `startedAs`. */
const PARTICLES = new Set(
  'after again against already alone apart as at away back before below beside between by each for from here in into of off on once out over so than then there to together too under until up with within without'.split(
    ' ',
  ),
);

/** Splits a name into its words, in lower case: `toJSONText` is to, json, text. */
function wordsOf(name) {
  return (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? [name]).map((word) => word.toLowerCase());
}

/** Returns whether a function's name begins with a verb of the list. `callOf` is a noun, and `main` is the name of a program. */
function beginsWithVerb(name) {
  const [first, second] = wordsOf(name);
  return name === 'main' || (VERBS.has(first) && second !== 'of');
}

const isParticipleWord = (word) =>
  IRREGULAR_PARTICIPLES.has(word) || (/(?:ed|ing)$/.test(word) && word.length > 4 && !NO_PARTICIPLES.has(word));

/** Returns whether a function's name is a participle: `told`, `askedFor`. A noun may follow one: `finishedTasks`. */
function isParticiple(name) {
  const [first, ...rest] = wordsOf(name);
  return isParticipleWord(first) && rest.every((word) => PARTICLES.has(word) || isParticipleWord(word));
}

/** Returns the text of a comment without its stars, and without its tags (`@param`). */
function textOfComment(value) {
  return value
    .replaceAll(/^[ \t]*\*+ ?/gm, '')
    .replace(/(?:^|\n)\s*@[\s\S]*$/, '')
    .trim();
}

/** Returns the forbidden words that a docstring opens with; undefined for one that opens well. */
function forbiddenOpening(value) {
  return OPENING.exec(textOfComment(value))?.[0];
}

/** Returns whether a declared return type says that the function returns nothing: `void`, `Promise<void>`, `never`. */
function returnsNothing(returnType) {
  const type = returnType?.typeAnnotation;
  if (type?.type !== 'TSTypeReference') return type?.type === 'TSVoidKeyword' || type?.type === 'TSNeverKeyword';
  const given = (type.typeArguments ?? type.typeParameters)?.params[0];
  return type.typeName.name === 'Promise' && given?.type === 'TSVoidKeyword';
}

/** Lists the words of the private dialect in a text. */
function dialectWordsIn(text) {
  return (text.match(DIALECT) ?? []).map((word) => word.toLowerCase().replaceAll(/\s+/g, ' '));
}

module.exports = {
  wordsOf,
  beginsWithVerb,
  isParticiple,
  forbiddenOpening,
  returnsNothing,
  textOfComment,
  dialectWordsIn,
};
