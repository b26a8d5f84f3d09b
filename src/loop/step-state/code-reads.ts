import { EVIDENCE_VARIABLE, type StateNeeds } from './variables';

/** A key of the state that is named where it is read: `state.key`, `state["key"]`, `state.get("key"`, Prolog's `state(key,`. */
const NAMED = String.raw`\s*(?:\.\s*(?!get\b|items\b|keys\b|values\b|pop\b|copy\b|setdefault\b)[A-Za-z_]|(?:\[|\.\s*get\s*\()\s*(?:"[^"\\]*"|'[^'\\]*')\s*[\]),]|\(\s*[a-z]\w*\s*,)`;
const STATE_AS_A_WHOLE = new RegExp(String.raw`\b[sS]tate\b(?!${NAMED})`);

/** Ways to every variable that there is. */
const ALL_VARIABLES = /\b(?:globals|locals|vars|eval|exec|globalThis|_G|_ENV|Function)\b/;

/**
 * Returns the keys of the state that inline code reads: those whose names are anywhere in its text, and all keys if it uses
 * the state as a whole. The result may name too much, never too little.
 */
export function codeNeeds(code: string): StateNeeds {
  const variables = [...new Set(code.match(/\breflection_\w+/g) ?? [])];
  const evidence = variables.includes(EVIDENCE_VARIABLE);
  const wantsOutput = /\b[oO]utput\b/.test(code);
  const history = /\breflection_(?:history|best)\b/.test(code) ? 'full' : 'digest';
  if (STATE_AS_A_WHOLE.test(code) || ALL_VARIABLES.test(code))
    return { keys: 'all', history, variables: 'all', evidence };
  return {
    keys: [...new Set([...(code.match(/\w+/g) ?? []), ...texts(code)])],
    history: variables.length > 0 ? history : 'none',
    variables: [...variables, ...(wantsOutput ? ['reflection_output'] : [])],
    evidence,
  };
}

/** Literals without escapes: keys that are not words can only be read by these. */
function texts(code: string): string[] {
  return [...code.matchAll(/"([^"\\\n]{1,200})"|'([^'\\\n]{1,200})'/g)].map((match) => match[1] ?? match[2]!);
}
