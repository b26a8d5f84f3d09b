import { words } from '../word-list';
import type { JudgeProblem } from './problem';

/** English first, then German, French, Spanish, Italian, Portuguese. */
const YES =
  words(`true yes pass passed passes passing valid approved approve approves accepted accept accepts acceptable
  satisfactory | ja wahr bestanden gültig angenommen akzeptiert | oui vrai réussi validé valide accepté approuvé
  | sí si verdadero aprobado válido aceptado | sì superato approvato valido accettato | sim aprovado válido aceito`);
const NO = words(`false no fail failed fails failing failure invalid rejected reject rejects unsatisfactory unacceptable
  disapproved revise | nein falsch durchgefallen ungültig abgelehnt | non faux échec échoué invalide refusé rejeté recalé
  | falso suspenso rechazado inválido reprobado | respinto bocciato | não nao reprovado rejeitado`);
const NO_PHRASES =
  /^(?:not (?:acceptable|accepted|approved|passed|valid|satisfactory)|(?:does not|doesn['’]t|did not|didn['’]t) pass|needs? (?:revision|work|improvement)|revision needed|nicht bestanden|nicht gültig|non (?:validé|valide|accepté|réussi|superato|approvato)|no (?:aprobado|válido|apto)|não aprovado)(?![\p{L}\d])/iu;

/** What stands before a verdict and adds nothing to it. */
const DECORATION = /^[\s\p{P}\p{S}\u{fe0f}]+/u;
const YES_SIGN = /[✅✔👍🟢]/u;
const NO_SIGN = /[❌✖✗✘👎🚫🔴]/u;
const SIGNS = /[✅✔👍🟢❌✖✗✘👎🚫🔴]\u{fe0f}?/gu;
const WORD = /^\p{L}+/u;
/** What may follow a verdict: its end, or the beginning of an explanation. */
const EXPLAINED =
  /^(?:$|\s*[.,;:!)\]}"'”»]|\s*\(|\s+[-–—]+\s|\s*[–—]|\s+(?:because|since|as|weil|da|parce que|porque|perché)\s)/iu;

/** A choice, a condition, or doubt: what was said before it does not stand. */
const DOUBT =
  /[?→⇒]|->|=>|\b(?:if|unless|otherwise|else|or|maybe|perhaps|possibly|arguably|borderline|would|could|might|depends|depending|wenn|falls|sofern|vielleicht|oder|sinon|peut-être|ou|quizás|talvez|forse)\b/iu;
/** Where it is a pass that is spoken of, these take it back, too. */
const RESERVATION =
  /\b(?:but|however|except|although|though|only|once|when|after|until|provided|providing|assuming|pending|conditional\w*|conditions?|reservations?|caveats?|almost|barely|should|must|needs?|aber|jedoch|allerdings|nur|vorbehaltlich|mais|cependant|sauf|seulement|pero|aunque|salvo|solo|sólo|siempre que|ma|però|mas|si|se|critical|severe|serious|major|fatal|blocker|kritisch\w*|critique|grave|crítico|crítica)\b/iu;
/** A denial takes away what it speaks of: "no critical issues", "not valid", "nothing fails". */
const DENIED =
  /(?:\b(?:no|not|never|nothing|none|without|isn['’]t|doesn['’]t|didn['’]t|wasn['’]t|cannot|can['’]t|zero|kein\w*|nicht|nichts|ohne|pas|aucune?|sans|ni|ninguna?|sin|nessun\w*|senza|sem)\b)(?:\s+[\p{L}-]+){0,3}/giu;

/** Reads what a judge says of an output where its verdict is asked for: a boolean, or a word with an explanation behind it. */
export function readVerdict(value: unknown): boolean | JudgeProblem {
  if (typeof value === 'boolean') return value;
  const read = typeof value === 'string' ? verdictInText(value.slice(0, 2_000)) : undefined;
  const shown = JSON.stringify(value)?.slice(0, 100);
  return read ?? { problem: `its verdict is ${shown}, which is neither yes nor no` };
}

function verdictInText(value: string): boolean | undefined {
  if (/~~/.test(value)) return undefined;
  const text = value.replace(/[*_`]/g, '').replace(SIGNS, ' ').replace(DECORATION, '').trimEnd();
  const phrase = NO_PHRASES.exec(text)?.[0] ?? WORD.exec(text)?.[0];
  if (phrase === undefined) return undefined;
  const word = phrase.toLowerCase();
  const isYes = YES.has(word);
  if (!isYes && !NO.has(word) && !NO_PHRASES.test(phrase)) return undefined;
  if ((isYes ? NO_SIGN : YES_SIGN).test(value)) return undefined;
  const rest = text.slice(phrase.length);
  if (!EXPLAINED.test(rest)) return undefined;
  return isTakenBack(rest, isYes) ? undefined : isYes;
}

function isTakenBack(rest: string, isYes: boolean): boolean {
  const [same, opposite] = isYes ? [YES, NO] : [NO, YES];
  // "pass; this is not a pass"
  const denied = (rest.match(DENIED) ?? []).flatMap((each) => wordsIn(each).slice(1));
  if (denied.some((word) => same.has(word) && !AMBIGUOUS.has(word))) return true;
  const said = rest.replace(DENIED, ' ');
  if (DOUBT.test(said) || (isYes && RESERVATION.test(said))) return true;
  return wordsIn(said).some((word) => opposite.has(word) && !AMBIGUOUS.has(word));
}

function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/\p{L}+/gu) ?? [];
}

/** Words of another language, or of everyday talk, when they stand in an explanation. */
const AMBIGUOUS = words('si se no non ja true false yes falso falsch vrai faux wahr');

/** Every word that a verdict may be. */
export function isVerdictWord(word: string): boolean {
  return YES.has(word.toLowerCase()) || NO.has(word.toLowerCase());
}
