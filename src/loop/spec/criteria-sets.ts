import type { TaskType } from '../contract/evaluators';

/** A criterion as the default sets describe it: a judge answers its questions with yes or no. */
export interface KnownCriterion {
  description: string;
  /** Three to five; yes always speaks for the output. */
  questions: readonly string[];
}

/** The criteria for outputs of each kind of task, for specs that name none. */
export const CRITERIA_SETS: Record<TaskType, Record<string, KnownCriterion>> = {
  code: {
    correctness: {
      description: 'The code does what was asked for.',
      questions: [
        'Does the code do everything that the task asks for?',
        'Would it give the right result for ordinary input, when you follow it step by step?',
        'Is it free of mistakes that keep it from compiling or running?',
        'Do all names, functions and libraries that it uses exist, and are they used as they are meant to be?',
      ],
    },
    efficiency: {
      description: 'The code wastes neither time nor memory.',
      questions: [
        'Is its running time reasonable for the size of input that the task implies?',
        'Does it avoid doing the same work again where once would do?',
        'Does it hold no more in memory than it needs?',
      ],
    },
    readability: {
      description: 'Another programmer understands the code and can change it.',
      questions: [
        'Do names say what they stand for?',
        'Is the code divided into parts that each do one thing?',
        'Is it free of code that is dead, repeated or needlessly complicated?',
        'Is everything that is not obvious explained, and nothing else?',
      ],
    },
    edge_cases: {
      description: 'The code copes with input that is unusual or wrong.',
      questions: [
        'Does it handle empty and missing input?',
        'Does it handle the smallest and the largest values that may come?',
        'Does it notice input that is wrong, and say so in a useful way?',
        'Does it leave things in order when something that it depends on fails?',
      ],
    },
  },
  writing: {
    clarity: {
      description: 'A reader understands every sentence at the first reading.',
      questions: [
        'Is the main point easy to find?',
        'Can every sentence be understood without reading it twice?',
        'Are terms that its readers may not know explained or avoided?',
        'Is it free of words that say nothing?',
      ],
    },
    coherence: {
      description: 'The parts belong together and follow from one another.',
      questions: [
        'Does each paragraph follow from the one before it?',
        'Does every part serve the purpose of the whole?',
        'Is the text free of contradictions?',
      ],
    },
    completeness: {
      description: 'Nothing is missing that was asked for or that a reader needs.',
      questions: [
        'Is everything in it that the task asks for?',
        'Does it answer the questions that its readers will have?',
        'Is every part carried through to its end?',
      ],
    },
    tone: {
      description: 'The voice suits readers and occasion.',
      questions: [
        'Does the tone suit the readers that the task names or implies?',
        'Is the tone the same from beginning to end?',
        'Is it free of wording that its readers could find offensive, stilted or too familiar?',
      ],
    },
  },
  analysis: {
    accuracy: {
      description: 'What it states is true and is supported.',
      questions: [
        'Do its statements agree with the material that was given?',
        'Are figures, names and quotations right, as far as you can check them?',
        'Is every important statement supported by evidence or by an argument?',
        'Is it free of inventions?',
      ],
    },
    depth: {
      description: 'It goes beyond what is obvious.',
      questions: [
        'Does it explain why things are as they are, not only how they are?',
        'Does it look at the factors that matter most, and at how they affect each other?',
        'Does it say what follows from its findings?',
      ],
    },
    relevance: {
      description: 'It answers the question that was asked.',
      questions: [
        'Does it answer the question that was asked, not a neighbouring one?',
        'Does everything in it help to answer that question?',
        'Do the points that matter most get the most room?',
      ],
    },
    objectivity: {
      description: 'It weighs evidence fairly.',
      questions: [
        'Does it give a fair account of positions that differ?',
        'Does it mention evidence that speaks against its conclusion?',
        'Does it keep facts and opinions apart?',
        'Does it say how certain its conclusions are?',
      ],
    },
  },
  reasoning: {
    logical_validity: {
      description: 'Each step follows from what came before it.',
      questions: [
        'Does every step follow from the ones before it or from what is given?',
        'Are all assumptions said, and are they acceptable?',
        'Is the reasoning free of contradictions and of circles?',
        'Does the conclusion follow from the steps?',
      ],
    },
    completeness: {
      description: 'No step, case or part of the answer is missing.',
      questions: [
        'Does it use everything that was given and matters?',
        'Are all cases considered that could come out differently?',
        'Is every part of the question answered?',
      ],
    },
    clarity: {
      description: 'The line of thought can be followed and checked.',
      questions: [
        'Is the answer itself easy to find?',
        'Could a reader check each step without guessing what is meant?',
        'Are symbols and terms used in one sense throughout?',
      ],
    },
  },
};

/** The names of all criteria of the default sets, each once. */
export const KNOWN_CRITERIA: readonly string[] = [
  ...new Set(Object.values(CRITERIA_SETS).flatMap((criteria) => Object.keys(criteria))),
];

/** Words of a task that show its kind, in the order in which kinds win a tie. */
const SIGNS: readonly [TaskType, RegExp][] = [
  [
    'code',
    /\b(?:code|function|program|script|class|method|algorithm|implement|refactor|debug|bug|unit tests?|api|sql|regex|python|javascript|typescript|java|rust|golang|html|css)\b/gi,
  ],
  [
    'analysis',
    /\b(?:analy[sz]e|analysis|assess|evaluate|compare|comparison|review|examine|investigate|findings|trends?|risks?|data|report)\b/gi,
  ],
  [
    'writing',
    /\b(?:write|rewrite|essay|story|poem|haiku|article|blog|e-?mail|letter|speech|post|summary|summari[sz]e|headline|translate|tutorial|documentation)\b/gi,
  ],
];

/**
 * Guesses the kind of a task, by how many of its words are typical for each kind. The same text always gives the same kind;
 * `reasoning`, whose criteria suit any answer, if no word is typical.
 */
export function guessTaskType(task: string | undefined): TaskType {
  const counts = SIGNS.map(([type, signs]) => ({ type, count: (task?.slice(0, 20_000).match(signs) ?? []).length }));
  const [most] = counts.toSorted((one, other) => other.count - one.count);
  return most && most.count > 0 ? most.type : 'reasoning';
}
