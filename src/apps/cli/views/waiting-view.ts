import pc from 'picocolors';
import type { PersonWait, WaitingFor } from '../../../loop/contract/waiting';
import {
  renderChangeLines,
  renderChangesTitle,
  type TextBounds,
  textToAccept,
} from '../../../loop/page/text-to-accept';
import { iterationOf } from '../../../loop/base/command-payloads';
import type { ReflectionVersion } from '../../../loop/state/loop-state';
import { command, printable } from './printable';
import type { AvailableCommand } from '../../../loop/commands/available';

function typedAnswer({ to, text, refuse }: AvailableCommand['payload']): string {
  const decision = refuse === true ? '--refuse --reason "why not"' : '--approve';
  return `--to ${String(to)} ${text === undefined ? decision : '"your answer"'}`;
}

export function typedOffer({ name, payload }: AvailableCommand, workflowId: string): string {
  const line = `${name} ${workflowId}`;
  switch (name) {
    case 'accept':
      return payload['best'] === true ? `${line} --best` : `${line} --iteration ${String(payload['iteration'])}`;
    case 'answer':
      return `${line} ${typedAnswer(payload)}`;
    case 'guide':
      return `${line} "what the next version should do"`;
    case 'override':
      return `${line} --output FILE`;
    case 'decide':
      return `${line} ${String(payload['decision'])}`;
    case 'extend':
      return [line, ...Object.entries(payload).map(([key, amount]) => `--${key} ${String(amount)}`)].join(' ');
    default:
      return line;
  }
}

const SHOWN_TEXT: TextBounds = { lines: 30, lineCharacters: 400, characters: 4_000, changes: 15 };

/** Finds the version under review. Workers of older releases report it only in the payload of `accept`. */
export function versionUnderReview(waitingFor: WaitingFor | undefined): number | undefined {
  return waitingFor?.version ?? iterationOf(waitingFor?.commands.find(({ name }) => name === 'accept')?.payload);
}

function textLines(waitingFor: WaitingFor, workflowId: string, versions: readonly ReflectionVersion[]): string[] {
  const iteration = versionUnderReview(waitingFor);
  const text = iteration === undefined ? undefined : textToAccept(versions, iteration, SHOWN_TEXT);
  if (!text) return [];
  const title = renderChangesTitle(text);
  const { failedChecks: failed = [] } = waitingFor;
  return [
    '',
    pc.bold(`The text of version ${text.iteration}`),
    ...text.head.map((line) => `  ${printable(line)}`),
    ...(text.missing === undefined ? [] : [pc.dim(`  not shown: ${text.missing}`)]),
    `All of it: ${command(`npx reflect show ${workflowId} --output`)}`,
    ...(title === undefined ? [] : [title]),
    ...renderChangeLines(text).map((line) => `  ${printable(line)}`),
    ...(failed.length > 0 ? [pc.red(`It fails: ${failed.map(printable).join(', ')}`)] : []),
    '',
  ];
}

function askedLines({ id, kind, question = '', options = [], action = '', problem, ...wait }: PersonWait): string[] {
  const lines = (text: string): string[] => text.split('\n').map((line) => `  ${printable(line)}`);
  if (kind === 'question') {
    return ['', pc.bold(id), ...lines(question), ...options.map((option) => `  - ${printable(option)}`), ''];
  }
  const given =
    typeof wait.arguments === 'string' ? wait.arguments : JSON.stringify(wait.arguments ?? {}, undefined, 2);
  return [
    '',
    `${pc.bold(id)} calls ${printable(action)} with`,
    ...lines(given),
    ...(problem === undefined ? [] : [pc.red(`It waits again: ${printable(problem)}`)]),
    '',
  ];
}

export function waitingLines(
  waitingFor: WaitingFor,
  workflowId: string,
  versions: readonly ReflectionVersion[] = [],
): string[] {
  const { what, until, commands, needs = [] } = waitingFor;
  return [
    `${pc.yellow('It waits for')} ${printable(what)}, until ${until}.`,
    ...(waitingFor.waits?.flatMap(askedLines) ?? []),
    ...needs.map(({ sentence }) => pc.yellow(printable(sentence))),
    ...textLines(waitingFor, workflowId, versions),
    ...commands.map((offer) => `  ${command(`npx reflect ${typedOffer(offer, workflowId)}`)}`),
  ];
}

export class Waits {
  readonly #told = new Set<string>();

  /** Returns the lines about a wait that was not reported yet, else none. */
  async news(
    waitingFor: WaitingFor | undefined,
    workflowId: string,
    versionsAfter: (iteration: number) => Promise<readonly ReflectionVersion[]>,
  ): Promise<string[]> {
    const { what, until, waits = [] } = waitingFor ?? {};
    // A call that is asked again, because a change of its arguments was not taken, has another id.
    const wait = [workflowId, what, until, ...waits.map(({ id }) => id)].join(' ');
    if (waitingFor === undefined || this.#told.has(wait)) return [];
    this.#told.add(wait);
    // With the version before, to say what changed.
    const iteration = versionUnderReview(waitingFor);
    const versions = iteration === undefined ? [] : await versionsAfter(Math.max(0, iteration - 2));
    return ['', ...waitingLines(waitingFor, workflowId, versions), ''];
  }
}
