import type { Issue } from '../../loop/contract/evaluation';
import { textOf } from '../../lib/json/json';
import { readablePath } from '../../lib/json/json-pointer';
import { jsonInText } from '../../loop/evaluation/output-reading';
import type { ChatMessage } from '../../lib/models/types';
import { fenceText, MARKERS_NOTE } from '../../lib/templates/fence';
import type { RenderedCall } from '../llm-call';
import { editOrder } from './revision-edits';
import type { Revision } from '../types';

const ROLE = `You revise an earlier output so that it does what was asked for.\n${MARKERS_NOTE}`;
const ADVISER = `You advise somebody who wrote an output and will write it once more from the start, and who sees your advice only.\n${MARKERS_NOTE}`;

export const NOTHING_INVENTED =
  'Where information is missing, use what you were given; if it is not there, do not make it up.';

/** Returns the built-in revision prompt: the request, rendered, the output, all of its issues, and the earlier attempts. */
export function revisionPrompt(
  request: Pick<RenderedCall, 'messages' | 'task'>,
  revision: Revision,
  maxTokens?: number,
): ChatMessage[] {
  const system = request.messages.filter(({ role }) => role === 'system').map(({ content }) => content);
  const asked = request.messages.filter(({ role }) => role !== 'system').map(renderMessage);
  const wish = asked.join('\n\n') || (request.task ?? '');
  const parts = [
    section('What was asked for', wish === '' ? [] : [fenceText('REQUEST', wish)]),
    section('The output so far', [fenceText('OUTPUT', textOf(revision.output))]),
    section(
      revision.advice ? 'What is wrong with it' : 'What is wrong with it; repair every point',
      material('ISSUES', revision.issues.map(issueLine)),
    ),
    section(
      'Found in earlier versions; make sure that it is repaired here, too',
      material('EARLIER ISSUES', (revision.earlierIssues ?? []).map(issueLine)),
    ),
    cutOffNote(revision, maxTokens),
    revision.issues.some(({ missingInformation }) => missingInformation) ? NOTHING_INVENTED : '',
    section('Suggestions', material('SUGGESTIONS', revision.suggestions.map(bullet))),
    section(
      'A reviewer says, and has the last word',
      (revision.guidance ?? []).map((text) => fenceText('REVIEWER', text)),
    ),
    section('Earlier attempts; do not repeat what failed', material('ATTEMPTS', (revision.attempts ?? []).map(bullet))),
    section(
      'Earlier versions',
      (revision.priorVersions ?? []).map(({ iteration, output }) => fenceText(`VERSION ${iteration}`, textOf(output))),
    ),
    orderOf(revision),
  ];
  return [
    { role: 'system', content: [...system, revision.advice ? ADVISER : ROLE].join('\n\n') },
    { role: 'user', content: parts.filter((part) => part !== '').join('\n\n') },
  ];
}

/** Returns the note on a reply that ended too early; an empty text for one that did not. */
export function cutOffNote({ cutOff }: Revision, maxTokens: number | undefined): string {
  if (!cutOff) return '';
  const what =
    cutOff === 'output'
      ? 'This output was cut off at its token limit: its end is missing.'
      : 'Edits of it were asked for, and cut off at their token limit.';
  const limit = maxTokens === undefined ? '' : `, ${maxTokens} tokens at most`;
  return `${what} What you write must be whole, so keep it short enough${limit}.`;
}

function renderMessage({ role, content }: ChatMessage): string {
  return role === 'user' ? content : `(${role}) ${content}`;
}

export function section(title: string, lines: string[]): string {
  return lines.length === 0 ? '' : `${title}:\n${lines.join('\n')}`;
}

/** Puts words of judges between markers, because what they judged may have influenced them. */
export function material(label: string, lines: string[]): string[] {
  return lines.length === 0 ? [] : [fenceText(label, lines.join('\n'))];
}

function bullet(text: string): string {
  return `- ${text.replaceAll('\n', ' ')}`;
}

export function issueLine({ message, path, severity, suggestion, missingInformation }: Issue): string {
  const place = path === undefined || path === '' ? '' : readablePath(path);
  const missing = missingInformation ? 'information is missing' : '';
  const details = [severity, message.includes(place) ? '' : place, missing].filter(Boolean).join(', ');
  return bullet(`${details ? `[${details}] ` : ''}${message}${suggestion ? ` → ${suggestion}` : ''}`);
}

const ADVICE = [
  'Say in a few sentences what went wrong and why, and what to do differently next time, so that every point is met.',
  'Do not write the output itself.',
].join('\n');

const WHOLE = 'Return the corrected output as a whole and nothing else: no introduction, no explanation, no markers.';

/** Returns the instructions on the form of the answer. */
function orderOf(revision: Revision): string {
  if (revision.advice) return ADVICE;
  const form = formOf(revision);
  switch (revision.strategy) {
    case 'targeted_edit':
      return editOrder(revision.output);
    case 'incremental':
      return [
        'Build on the output: go through it part by part, mend or add what is named above, and take over every other part',
        `word for word. ${WHOLE} ${form}`,
      ].join('\n');
    default:
      return `Keep what is right as it is. ${WHOLE} ${form}`;
  }
}

export const JSON_ONLY = 'It is JSON: return one valid JSON value, without code fences.';

/** Returns whether an output is JSON, or should have been. */
export function isOfJson({ output, issues }: Revision): boolean {
  const [json] = typeof output === 'string' ? jsonInText(output) : [];
  const isStructure = typeof (json?.value ?? (typeof output === 'string' ? undefined : output)) === 'object';
  return isStructure || issues.some(({ type }) => type === 'json');
}

/** Returns the form of the next version, which has to be readable in the same way as this one. */
function formOf(revision: Revision): string {
  return isOfJson(revision) ? JSON_ONLY : 'Keep its form and language.';
}
