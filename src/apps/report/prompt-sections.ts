import type { CalledTool, ModelCall, SentPrompt } from '../../lib/contract/model-calls';
import { textOf } from '../../lib/json/json';
import { type Html, html, type Part } from './html';
import { dollars, duration, facts, section } from './parts';
import { number, textBlock } from './shown-text';

const MOST_CHARACTERS = 50_000;
const MOST_CALLS = 100;

function calledText(calls: readonly CalledTool[] = []): string {
  return calls.map(({ name, arguments: given }) => `\n→ ${name} ${given}`).join('');
}

function titledText(title: string, text: string): Html {
  return html`<h4>${title}</h4>
    ${textBlock(text, title, MOST_CHARACTERS)}`;
}

function sentParts({ messages, tools = [], form, settings }: SentPrompt): Part {
  return [
    messages.map(({ role, text, attachments = [], toolCalls }) =>
      titledText(role, `${attachments.map((each) => `[${each}]\n`).join('')}${text}${calledText(toolCalls)}`),
    ),
    tools.length > 0 && titledText('tools', textOf(JSON.parse(JSON.stringify(tools)))),
    settings && titledText('settings', textOf(settings)),
    form !== undefined && titledText('form of the reply', textOf(form)),
  ];
}

function answerPart({ reply, result, failure }: ModelCall): Html {
  if (reply)
    return titledText(reply.cutOff ? 'reply, cut off' : 'reply', `${reply.text}${calledText(reply.toolCalls)}`);
  if (failure) return titledText(`failed: ${failure.type}`, failure.message);
  if (result === undefined) return html`<p class="note">There is no reply yet.</p>`;
  return titledText('read in the reply, which was not kept', textOf(result));
}

function callDetails(call: ModelCall): Html {
  const { number: position, title, note, prompt, attempt, ms, tokenUsage, failureBefore: before } = call;
  const cached = tokenUsage?.cachedTokens;
  return html`<details id="call-${position}">
    <summary id="call-${position}-summary">${position}. ${title}</summary>
    ${facts([
      ['model', prompt && (prompt.model ?? "the worker's default")],
      ['attempt', attempt],
      ['took', ms === undefined ? undefined : duration(ms)],
      ['tokens sent', tokenUsage && number(tokenUsage.promptTokens)],
      ['of them cached', cached ? number(cached) : undefined],
      ['tokens back', tokenUsage && number(tokenUsage.completionTokens)],
      ['cost', tokenUsage && dollars(tokenUsage.usd)],
    ])}
    ${before && html`<p class="note">The attempt before failed: ${before.type}: ${before.message}</p>`}
    ${note !== undefined && html`<p class="note">${note}</p>`} ${prompt && sentParts(prompt)} ${answerPart(call)}
  </details>`;
}

export function promptSections({ workflowId, calls }: { workflowId: string; calls: readonly ModelCall[] }): Part {
  if (calls.length === 0) return html`<p class="note">The run has made no model call.</p>`;
  const left = calls.length - MOST_CALLS;
  return section('calls', 'Model calls', [
    left > 0 &&
      html`<p class="note">${number(left)} earlier ones: <code>npx reflect show ${workflowId} --prompts</code></p>`,
    calls.slice(-MOST_CALLS).map(callDetails),
  ]);
}
