import type { JudgeSet } from './judge-set';

/** Whether code could be merged. */
export const CODE_REVIEW_1: JudgeSet = {
  title: 'A careful reviewer would merge the code.',
  sources: [
    'Google Engineering Practices, Code Review Developer Guide: what to look for in a code review',
    'OWASP Code Review Guide 2.0: input validation, injection, secrets',
    'Bacchelli and Bird 2013, Expectations, Outcomes, and Challenges of Modern Code Review (ICSE)',
  ],
  criteria: {
    functionality: {
      description: 'The code does what was asked for, also in unusual cases.',
      weight: 3,
      threshold: 1,
      questions: [
        'Follow the code with an ordinary input, step by step: is the result the one that the task asks for?',
        'Follow it with empty input, with the smallest and with the largest values: is the result still right?',
        'Does everything that it calls exist, with these parameters and this meaning?',
        'Is it free of races, leaks and unhandled failures of what it depends on, as far as these can occur here?',
      ],
    },
    security: {
      description: 'Input from outside cannot do harm.',
      weight: 2,
      threshold: 1,
      questions: [
        'Is input from outside checked, or passed on only in ways that cannot be abused (parameters instead of joined text)?',
        'Is the code free of secrets, and does it keep them out of logs and messages?',
      ],
    },
    design: {
      description: 'The code is no more complicated than the task.',
      questions: [
        'Is there no simpler way that a reviewer would ask for?',
        'Is the code free of parts for needs that nobody has yet?',
        'Does it fit the code around it, as far as that is shown: same names for same things, same ways?',
      ],
    },
    readability: {
      description: 'The next reader understands it.',
      questions: [
        'Do names say what they stand for?',
        'Do comments, where there are any, say why and not what?',
        'Do messages of errors say what happened and what to do?',
      ],
    },
    tests: {
      description: 'What is asked for is tested, where the task asks for tests or shows some.',
      questions: [
        'If the task asks for tests: would they fail if the code were wrong? Answer yes if it asks for none.',
        'If there are tests: do they cover the unusual cases too? Answer yes if the task asks for none.',
      ],
    },
  },
};
