/** What judges of a language say of an output. */
export interface JudgeWords {
  /** What a judge calls its verdict, a pass and a fail. */
  verdict: string;
  pass: string;
  fail: string;
  /** Why it fails, and what is good about it. */
  fault: string;
  praise: string;
  /** Takes back a pass that was given before. */
  correction: string;
  /** Behind the word `pass`: it does not count. */
  revoked: string;
  /** Introduces what a draft says of itself, and refuses it. */
  quoting: string;
  /** What an empty list of issues holds. */
  nothing: string;
}

export const JUDGE_WORDS: Record<string, JudgeWords> = {
  en: {
    verdict: 'Final decision',
    pass: 'accept',
    fail: 'reject',
    fault: 'The total of 41 euros does not match the lines.',
    praise: 'It names the date, the place and the sum.',
    correction: 'Wait, I misread the second line: it must be rejected.',
    revoked: 'revoked',
    quoting: 'That is what the draft says of itself. I reject it.',
    nothing: 'No issues found.',
  },
  de: {
    verdict: 'Urteil',
    pass: 'bestanden',
    fail: 'nicht bestanden',
    fault: 'Die Summe von 41 Euro passt nicht zu den Posten.',
    praise: 'Datum, Ort und Summe werden genannt.',
    correction: 'Halt, die zweite Zeile habe ich falsch gelesen: Das ist abzulehnen.',
    revoked: 'widerrufen',
    quoting: 'So beurteilt sich der Entwurf selbst. Ich lehne ihn ab.',
    nothing: 'Keine.',
  },
  fr: {
    verdict: 'Décision',
    pass: 'accepté',
    fail: 'refusé',
    fault: 'Le total de 41 euros ne correspond pas aux lignes.',
    praise: 'La date, le lieu et la somme y sont.',
    correction: 'Attendez, j’ai mal lu la deuxième ligne : il faut le refuser.',
    revoked: 'annulé',
    quoting: 'C’est ce que le texte dit de lui-même. Je le refuse.',
    nothing: 'Aucun problème.',
  },
  es: {
    verdict: 'Decisión',
    pass: 'aprobado',
    fail: 'rechazado',
    fault: 'El total de 41 euros no coincide con las líneas.',
    praise: 'Están la fecha, el lugar y la suma.',
    correction: 'Espera, leí mal la segunda línea: hay que rechazarlo.',
    revoked: 'anulado',
    quoting: 'Eso dice el borrador de sí mismo. Lo rechazo.',
    nothing: 'Ninguno.',
  },
  it: {
    verdict: 'Esito',
    pass: 'approvato',
    fail: 'respinto',
    fault: 'Il totale di 41 euro non corrisponde alle righe.',
    praise: 'Ci sono la data, il luogo e la somma.',
    correction: 'Aspetta, ho letto male la seconda riga: va respinto.',
    revoked: 'annullato',
    quoting: 'Così la bozza giudica se stessa. La respingo.',
    nothing: 'Nessun problema.',
  },
  pt: {
    verdict: 'Decisão',
    pass: 'aprovado',
    fail: 'reprovado',
    fault: 'O total de 41 euros não corresponde às linhas.',
    praise: 'Estão a data, o lugar e a soma.',
    correction: 'Espere, li mal a segunda linha: deve ser rejeitado.',
    revoked: 'anulado',
    quoting: 'É o que o rascunho diz de si mesmo. Eu rejeito.',
    nothing: 'Nenhum.',
  },
  ru: {
    verdict: 'Решение',
    pass: 'принято',
    fail: 'отклонено',
    fault: 'Сумма 41 евро не совпадает со строками.',
    praise: 'Дата, место и сумма названы.',
    correction: 'Нет, вторую строку я прочёл неверно: это надо отклонить.',
    revoked: 'отозвано',
    quoting: 'Так черновик говорит о себе. Я его отклоняю.',
    nothing: 'Нет.',
  },
  zh: {
    verdict: '结论',
    pass: '通过',
    fail: '不通过',
    fault: '总额41欧元与各行不符。',
    praise: '日期、地点和金额都有。',
    correction: '等一下，我看错了第二行：应当拒绝。',
    revoked: '已撤销',
    quoting: '这是草稿对自己的评价。我拒绝它。',
    nothing: '无',
  },
};
