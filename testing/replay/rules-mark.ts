import { LATEST_RULES, RULES, rulesMark } from '../../src/loop/base/rules';
import type { HistoryFile } from '../../src/apps/testing/replay/history-file';

/** How `commandsOf` tells of the mark of a new run. */
export const RULES_MARK = rulesMark(LATEST_RULES);

/** How `commandsOf` tells of the marks of all rules. */
export const RULES_MARKS: readonly string[] = RULES.map(rulesMark);

/** Events that no command of a workflow makes, or that its worker makes for what came from outside. */
const NO_COMMAND =
  /^EVENT_TYPE_(WORKFLOW_TASK_|WORKFLOW_EXECUTION_(STARTED|SIGNALED|CANCEL_REQUESTED|UPDATE_ADMITTED|OPTIONS_UPDATED))/;

interface Event {
  eventType: string;
  markerRecordedEventAttributes?: {
    markerName?: string;
    details?: Record<string, { payloads?: { data: string }[] } | undefined>;
  };
}

/** The id of a patch, as the SDK's core notes it. */
function patchOf({ markerRecordedEventAttributes: marker }: Event): string | undefined {
  if (marker?.markerName !== 'core_patch') return undefined;
  const data = marker.details?.['patch-data']?.payloads?.[0]?.data ?? '';
  return (JSON.parse(Buffer.from(data, 'base64').toString()) as { id: string }).id;
}

/** What a run did, in order: the types of events, and the ids of patches. */
export function commandsOf({ events }: HistoryFile): string[] {
  return (events as unknown as Event[])
    .filter(({ eventType }) => !NO_COMMAND.test(eventType))
    .map((event) => patchOf(event) ?? event.eventType);
}
