import type { JudgeSet } from './judge-set';

/** Whether everything that an output states is in its source. */
export const FAITHFULNESS_1: JudgeSet = {
  title: 'Everything that the output states is supported by the source.',
  sources: [
    'Maynez et al. 2020, On Faithfulness and Factuality in Abstractive Summarization (ACL): intrinsic and extrinsic hallucinations',
    'Min et al. 2023, FActScore (EMNLP): a text is checked statement by statement',
    'Es et al. 2024, RAGAS (EACL): faithfulness as the share of statements that the context supports',
  ],
  criteria: {
    no_contradiction: {
      description: 'Nothing in the output contradicts the source (intrinsic hallucination).',
      weight: 2,
      threshold: 1,
      questions: [
        'Go through the statements of the output one by one: does the source contradict none of them?',
        'Are all numbers, dates, units and names the same as in the source?',
        'Is every relation as in the source: who did what to whom, what caused what, what came first?',
      ],
    },
    no_addition: {
      description: 'Nothing in the output was added to what the source says (extrinsic hallucination).',
      weight: 2,
      threshold: 1,
      questions: [
        'Go through the statements of the output one by one: is each of them stated in the source, or does it follow from it directly?',
        'Is the output free of facts that may be true but that the source does not give?',
        'Where the source does not say something that was asked for, does the output leave it open instead of filling it in?',
      ],
    },
    certainty: {
      description: 'The output is as certain as the source, and no more.',
      questions: [
        'Are possibilities, plans and opinions of the source still possibilities, plans and opinions in the output?',
        'Are conditions and exceptions of the source kept wherever leaving them out would change what is meant?',
        'Is what somebody claims in the source still ascribed to that person?',
      ],
    },
  },
};
