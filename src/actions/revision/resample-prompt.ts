import { appendToUser } from '../../lib/models/append-to-user';
import type { ChatMessage } from '../../lib/models/types';
import { MARKERS_NOTE } from '../../lib/templates/fence';
import { explainMarkers, type RenderedCall } from '../llm-call';
import type { Revision } from '../types';
import { cutOffNote, isOfJson, issueLine, JSON_ONLY, material, NOTHING_INVENTED, section } from './revision-prompt';

/**
 * Returns the prompt of a new draft after others that failed: the generator's own, so that it begins as that of the
 * draft did, and the issues of those drafts. None of them is shown, because the new one is to be made from the inputs.
 */
export function resamplePrompt(request: RenderedCall, revision: Revision, maxTokens?: number): ChatMessage[] {
  const issues = [...revision.issues, ...(revision.earlierIssues ?? [])];
  const parts = [
    request.isFenced ? '' : MARKERS_NOTE,
    section(
      'Earlier answers to this were not accepted. Make a new one from the start, in which none of this is wrong',
      material('ISSUES', issues.map(issueLine)),
    ),
    cutOffNote(revision, maxTokens),
    issues.some(({ missingInformation }) => missingInformation) ? NOTHING_INVENTED : '',
    // What is not shown has no form to keep.
    isOfJson(revision) ? JSON_ONLY : '',
  ];
  const messages = request.isFenced ? explainMarkers(request.messages) : request.messages;
  return appendToUser(messages, parts.filter((part) => part !== '').join('\n\n'));
}
