import type { JudgeSetName } from '../../contract/evaluators';
import { CODE_REVIEW_1 } from './code-review';
import { FAITHFULNESS_1 } from './faithfulness';
import { INSTRUCTION_FOLLOWING_1 } from './instruction-following';
import type { JudgeSet } from './judge-set';
import { SUMMARY_1 } from './summary';
import { TONE_1 } from './tone';
import { TRANSLATION_1 } from './translation';

/** The built-in sets, by the name and version that a spec gives. */
export const JUDGE_SETS: Record<JudgeSetName, JudgeSet> = {
  'faithfulness@1': FAITHFULNESS_1,
  'instruction-following@1': INSTRUCTION_FOLLOWING_1,
  'code-review@1': CODE_REVIEW_1,
  'summary@1': SUMMARY_1,
  'translation@1': TRANSLATION_1,
  'tone@1': TONE_1,
};
