import { offloaded } from '../../threads/offload';
import { TimeLimitExceeded } from '../../threads/time-limit';
import { isLighterThan } from '../../threads/weight';
import { type EditedOutput, type EditReply, outputOfEdits } from './revision-edits';

/** Characters and parts of what the event loop edits itself: some milliseconds. */
const SMALL = 30_000;

const apply = offloaded({
  file: require.resolve('./revision-edits'),
  name: outputOfEdits.name,
  run: outputOfEdits,
  isSmall: (edits) => isLighterThan(SMALL, edits),
  key: ({ reply }) => reply,
});

/** As `editedOutput`, where it holds up nobody. Edits that take too long cannot be applied. */
export async function applyEdits(edits: EditReply): Promise<EditedOutput> {
  try {
    return await apply(edits);
  } catch (error) {
    if (!(error instanceof TimeLimitExceeded)) throw error;
    return { problem: `to apply the edits ${error.message}` };
  }
}
