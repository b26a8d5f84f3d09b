import type { JudgeSet } from './judge-set';

/** Whether a summary says what matters, right and readably. */
export const SUMMARY_1: JudgeSet = {
  title: 'The summary says what matters in the source, without mistakes, and reads well.',
  sources: [
    'Fabbri et al. 2021, SummEval (TACL): relevance, consistency, coherence and fluency',
    'Kryściński et al. 2019, Neural Text Summarization: A Critical Evaluation (EMNLP)',
    'Pagnoni et al. 2021, FRANK (NAACL): kinds of factual errors',
  ],
  criteria: {
    relevance: {
      description: 'It has the points that matter most, and no others.',
      weight: 2,
      questions: [
        'Name the points of the source that a reader must know: is each of them in the summary?',
        'Is every point of the summary important enough to be in it?',
        'Does the summary say what came of it: the result, the decision or the consequence, if the source has one?',
      ],
    },
    consistency: {
      description: 'All of it agrees with the source.',
      weight: 3,
      threshold: 1,
      questions: [
        'Is every statement of the summary in the source, or does it follow from it directly?',
        'Are all numbers, dates and names the same as in the source, and attached to the same things?',
        'Are who did it, what was done and in what order as in the source?',
      ],
    },
    coherence: {
      description: 'It is a text, not a collection of sentences.',
      questions: [
        'Does each sentence follow from the one before it?',
        'Can it be understood without the source: is it clear what every pronoun and short form stands for?',
      ],
    },
    brevity: {
      description: 'It is short.',
      questions: [
        'Does it keep to the length that was asked for, or else is it much shorter than the source?',
        'Is it free of repetitions and of words that can go?',
        'Is it free of mistakes of grammar and spelling?',
      ],
    },
  },
};
