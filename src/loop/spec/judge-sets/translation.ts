import type { JudgeSet } from './judge-set';

/** Whether a translation means the same and reads like an original. */
export const TRANSLATION_1: JudgeSet = {
  title: 'The translation means what the source means, and reads as if it had been written in its language.',
  sources: [
    'Lommel, Uszkoreit and Burchardt 2014, Multidimensional Quality Metrics (Tradumàtica 12): types of errors',
    'Freitag et al. 2021, Experts, Errors, and Context (TACL): MQM for machine translation',
    'ISO 5060:2024, Translation services: evaluation of translation output',
  ],
  criteria: {
    accuracy: {
      description: 'Nothing is mistranslated, left out or added.',
      weight: 3,
      threshold: 1,
      questions: [
        'Compare it with the source sentence by sentence: does each sentence mean the same?',
        'Is everything of the source in it: no sentence, clause or item left out?',
        'Is it free of additions?',
        'Are negations, numbers, units, dates and conditions right?',
        'Is everything translated that should be, and nothing that should not, such as names and code?',
      ],
    },
    terminology: {
      description: 'Terms are those of the field, each the same throughout.',
      questions: [
        'Is each term the one that the field, or the task, uses in the target language?',
        'Is the same term of the source translated in the same way throughout?',
      ],
    },
    fluency: {
      description: 'Grammar, spelling and punctuation are right.',
      weight: 2,
      questions: [
        'Is it free of mistakes of grammar, spelling and punctuation of the target language?',
        'Would a native reader take it for an original: no word order, idiom or punctuation carried over from the source?',
      ],
    },
    style: {
      description: 'Register and conventions suit the readers.',
      questions: [
        'Is the form of address and the degree of formality that of the source, or what the task asks for?',
        'Are formats of dates, numbers and currencies those of the target language, where they are to be adapted?',
      ],
    },
  },
};
