import pc from 'picocolors';
import type { CalledTool, ModelCall, SentPrompt } from '../../../lib/contract/model-calls';
import { textOf } from '../../../lib/json/json';
import { count, oneLine, printable, seconds } from '../views/printable';

const heading = (text: string): string => pc.cyan(`── ${oneLine(text, 200)}`);

function calledLines(calls: readonly CalledTool[] = []): string[] {
  return calls.map(({ name, arguments: given }) => printable(`→ ${name} ${given}`));
}

export function callFacts({ prompt, attempt, ms, tokenUsage: usage }: ModelCall): string {
  const cached = usage?.cachedTokens ? ` (${count(usage.cachedTokens, 'token')} of them cached)` : '';
  return [
    prompt && (prompt.model ?? "the worker's default model"),
    attempt !== undefined && `attempt ${attempt}`,
    ms !== undefined && seconds(ms),
    usage && `${count(usage.promptTokens, 'token')} sent${cached}, ${count(usage.completionTokens, 'token')} back`,
    usage && (usage.usd === null ? 'cost unknown' : `$${usd(usage.usd)}`),
    usage?.estimated && 'tokens are estimated',
  ]
    .filter((part) => typeof part === 'string')
    .join(' · ');
}

const usd = (amount: number): string => (amount === 0 ? '0' : amount.toFixed(amount < 0.01 ? 5 : 4));

function promptLines({ messages, tools = [], form, settings }: SentPrompt): string[] {
  const shown = messages.flatMap(({ role, text, attachments = [], toolCalls }) => [
    heading(role),
    ...attachments.map((each) => printable(`[${each}]`)),
    ...(text === '' ? [] : [printable(text)]),
    ...calledLines(toolCalls),
  ]);
  return [
    ...shown,
    ...(tools.length > 0 ? [heading(`tools: ${tools.map(({ name }) => name).join(', ')}`)] : []),
    ...(settings ? [heading(`settings: ${JSON.stringify(settings)}`)] : []),
    ...(form === undefined ? [] : [heading('form of the reply'), printable(JSON.stringify(form))]),
  ];
}

function answerLines({ reply, result, failure }: ModelCall): string[] {
  if (reply) {
    const { text, toolCalls, cutOff } = reply;
    return [
      heading(`reply${cutOff ? ', cut off' : ''}`),
      ...(text === '' ? [] : [printable(text)]),
      ...calledLines(toolCalls),
    ];
  }
  if (failure) return [heading(`failed: ${failure.type}`), printable(failure.message)];
  if (result === undefined) return [heading('no reply yet')];
  return [heading('read in the reply, which was not kept'), printable(textOf(result))];
}

export function callText(call: ModelCall): string {
  const { number, title, note, prompt, failureBefore: before } = call;
  return [
    pc.bold(`Call ${number}: ${oneLine(title, 200)}`),
    callFacts(call),
    ...(before ? [oneLine(`The attempt before failed: ${before.type}: ${before.message}`, 400)] : []),
    ...(note === undefined ? [] : [pc.dim(printable(note))]),
    ...(prompt ? promptLines(prompt) : []),
    ...answerLines(call),
    '',
  ].join('\n');
}
