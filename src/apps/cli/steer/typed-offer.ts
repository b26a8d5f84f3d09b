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
