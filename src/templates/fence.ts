import { randomBytes } from 'node:crypto';

/**
 * A text between markers that nobody could foresee: whoever wrote it cannot end it early and go on as if the prompt
 * spoke. It is put into prompts as it is, and never rendered as a template.
 */
export function fenced(label: string, text: string): string {
  let marker: string;
  do marker = randomBytes(8).toString('hex');
  while (text.includes(marker));
  return `<<<${label} ${marker}\n${text}\n${marker} ${label}>>>`;
}
