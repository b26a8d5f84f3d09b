import { baseAgentType, type BaseAgentType } from './agent-type';

const QUESTIONS: Record<BaseAgentType | 'other', readonly string[]> = {
  household: [
    'How safe is my home now, and what would make it safer?',
    'Which of my choices paid off, and which do I regret?',
    'What do I see my neighbours do, and should I do the same?',
  ],
  government: [
    'Who was helped by our programmes, and who was left out?',
    'Is the money going where it prevents most damage?',
    'Which rule or subsidy should change, and what would follow from that?',
  ],
  insurance: [
    'Do premiums still match the risk that we carry?',
    'Who leaves us or cannot afford us, and why?',
    'What do the claims tell about the years ahead?',
  ],
  other: [
    'What happened that I did not expect?',
    'What worked, what did not, and why?',
    'What should I do differently from now on?',
  ],
};

/** What an agent asks itself, by its type or subtype. */
export function questionsFor(agentType: string): readonly string[] {
  return QUESTIONS[baseAgentType(agentType) ?? 'other'];
}
