const MAX_NOTHING = 100;
/** The fillers of an empty list, in the languages that judges write. */
const NOTHING =
  /^[^\p{L}\d]*(?:(?:none|nothing|null|nil|unknown|n\/?a|keine?r?s?|aucune?|rien|ningun[oa]?|nada|nessun[oa]?|niente|nenhuma?|нет|无|没有|なし|없음)|(?:no|keine?|aucune?|ningún|nessun|nenhum|нет|没有|无)\s*(?:(?:further|other|major|critical|significant|obvious)\s+)?(?:issues?|problems?|errors?|faults?|suggestions?|improvements?|probleme?|fehler|mängel|problèmes?|erreurs?|defectos?|errore?s?|problem[ai]s?|erros?|замечаний|ошибок|问题)(?:\s+(?:were\s+)?(?:found|detected|identified|noted|needed|gefunden|trouvée?s?|encontrad[oa]s?|trovat[oaie]|détectée?s?))?)?[^\p{L}\d]*$/iu;

/** Returns whether a text of a list says anything. */
export function isSaid(text: string): boolean {
  return text.length > MAX_NOTHING || !NOTHING.test(text);
}
