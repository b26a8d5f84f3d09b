import type { TaskType } from '../contract/evaluators';

/** A criterion as the default sets describe it: a judge answers its questions with yes or no. */
export interface KnownCriterion {
  description: string;
  /** Yes always speaks for the output. */
  questions: readonly string[];
}

/** Criteria for specs that name none. Each has one question: one fault is counted once, and the judge writes little. */
export const CRITERIA_SETS: Record<TaskType, Record<string, KnownCriterion>> = {
  code: {
    correctness: {
      description: 'The code does what was asked for.',
      questions: [
        'Does the code do all that the task asks for, with the right result when you follow it, and does all that it calls exist?',
      ],
    },
    efficiency: {
      description: 'The code wastes neither time nor memory.',
      questions: ['Is it free of needless work and memory, for the size of input that the task implies?'],
    },
    readability: {
      description: 'Another programmer understands the code and can change it.',
      questions: [
        'Would another programmer understand it at once: clear names, parts that do one thing, nothing dead or repeated?',
      ],
    },
    edge_cases: {
      description: 'The code copes with input that is unusual or wrong.',
      questions: [
        'Does it cope with input that is empty, missing, very large or wrong, as far as the task lets it come?',
      ],
    },
  },
  writing: {
    clarity: {
      description: 'A reader understands every sentence at the first reading.',
      questions: ['Is its main point easy to find, and can each sentence be understood at the first reading?'],
    },
    coherence: {
      description: 'The parts belong together and follow from one another.',
      questions: ['Does each part follow from the one before it and serve the whole, without contradictions?'],
    },
    completeness: {
      description: 'Nothing is missing that was asked for or that a reader needs.',
      questions: ['Is everything in it that the task asks for, carried through to its end?'],
    },
    tone: {
      description: 'The voice suits readers and occasion.',
      questions: ['Does the tone suit the readers that the task names or implies, from beginning to end?'],
    },
  },
  analysis: {
    accuracy: {
      description: 'What it states is true and is supported.',
      questions: ['Is all that it states right and supported: by the material that was given, or by an argument?'],
    },
    depth: {
      description: 'It goes beyond what is obvious.',
      questions: ['Does it explain why things are so and what follows from it, and not only how they are?'],
    },
    relevance: {
      description: 'It answers the question that was asked.',
      questions: ['Does it answer the question that was asked, with the points that matter most, and without others?'],
    },
    objectivity: {
      description: 'It weighs evidence fairly.',
      questions: ['Does it weigh what speaks for and against its conclusion, and keep facts and opinions apart?'],
    },
  },
  reasoning: {
    logical_validity: {
      description: 'Each step follows from what came before it.',
      questions: ['Does each step, and the conclusion, follow from what is given and from the steps before it?'],
    },
    completeness: {
      description: 'No step, case or part of the answer is missing.',
      questions: ['Is every part of the question answered, with all cases that could come out differently?'],
    },
    clarity: {
      description: 'The line of thought can be followed and checked.',
      questions: ['Is the answer easy to find, and could a reader check each step without guessing what is meant?'],
    },
  },
};

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

/** Counts typical words, always alike for one text; `reasoning`, whose criteria suit any answer, if no word is typical. */
export function guessTaskType(task: string | undefined): TaskType {
  const counts = SIGNS.map(([type, signs]) => ({ type, count: (task?.slice(0, 20_000).match(signs) ?? []).length }));
  const [most] = counts.toSorted((one, other) => other.count - one.count);
  return most && most.count > 0 ? most.type : 'reasoning';
}
