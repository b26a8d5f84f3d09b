import type { JudgeSet } from './judge-set';

/** Whether an output does all that its task asks for. */
export const INSTRUCTION_FOLLOWING_1: JudgeSet = {
  title: 'The output does all that the task asks for, and nothing that it forbids.',
  sources: [
    'Zhou et al. 2023, Instruction-Following Evaluation for Large Language Models (IFEval, arXiv:2311.07911): instructions that can be checked',
    'Qin et al. 2024, InFoBench (ACL Findings): an instruction is taken apart into single requirements',
    'Jiang et al. 2024, FollowBench (ACL): constraints of content, situation, style, format and example',
  ],
  criteria: {
    requirements: {
      description: 'Each thing that the task asks for is there.',
      weight: 2,
      threshold: 1,
      questions: [
        'List the single requirements of the task, the small ones too: does the output meet every one of them?',
        'Is every question of the task answered?',
        'Does the output do what was asked for itself, instead of describing or promising it?',
      ],
    },
    prohibitions: {
      description: 'What the task rules out is not there.',
      weight: 2,
      threshold: 1,
      questions: [
        'Is the output free of everything that the task forbids or tells it to leave out?',
        'Is the output free of parts that nobody asked for, such as an introduction, a closing remark or a second version?',
      ],
    },
    form: {
      description: 'Length, order, format and language are as the task wants them.',
      threshold: 1,
      questions: [
        'Count where the task gives a number (words, sentences, items): is every such limit kept?',
        'Are format, order and language as the task says, or, where it says nothing, as its examples or its own language suggest?',
        'Do words and texts that the task gives literally stand in the output exactly as given?',
      ],
    },
  },
};
