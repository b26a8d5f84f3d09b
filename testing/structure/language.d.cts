export function wordsOf(name: string): string[];
export function beginsWithVerb(name: string): boolean;
export function isParticiple(name: string): boolean;
export function textOfComment(value: string): string;
export function forbiddenOpening(value: string): string | undefined;
export function dialectWordsIn(text: string): string[];
export function returnsNothing(returnType: unknown): boolean;
