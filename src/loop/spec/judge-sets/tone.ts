import type { JudgeSet } from './judge-set';

/** Whether a text has the tone that it should have. */
export const TONE_1: JudgeSet = {
  title: 'The voice suits the readers and the occasion, from the first word to the last.',
  sources: [
    'Moran 2016, The Four Dimensions of Tone of Voice (Nielsen Norman Group): formality, humour, respect, enthusiasm',
    'Rao and Tetreault 2018, Dear Sir or Madam, May I Introduce the GYAFC Dataset? (NAACL): formality',
    'ISO 24495-1:2023, Plain language: governing principles and guidelines',
  ],
  criteria: {
    fit: {
      description: 'The tone is the one that the task asks for, or that its occasion calls for.',
      weight: 2,
      threshold: 1,
      questions: [
        'Is the degree of formality the one that the task names or that its readers expect?',
        'Do seriousness and enthusiasm suit the occasion: no joke about a misfortune, no alarm about a trifle?',
        'Does a text about a mistake, a refusal or bad news name it plainly, without blame and without excuses?',
      ],
    },
    respect: {
      description: 'Readers are taken seriously.',
      weight: 2,
      threshold: 1,
      questions: [
        'Is it free of wording that its readers could find condescending, accusing or too familiar?',
        'Is it free of flattery, pressure and promises that nobody can keep?',
      ],
    },
    consistency: {
      description: 'The tone does not change on the way.',
      questions: [
        'Is the tone the same in the opening, the body and the closing?',
        'Is the form of address the same throughout?',
      ],
    },
    plainness: {
      description: 'The words are those that its readers use.',
      questions: [
        'Is it free of jargon, stock phrases and officialese that its readers do not use themselves?',
        'Do sentences say who does what?',
      ],
    },
  },
};
