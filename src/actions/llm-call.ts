import { type Json, textOf } from '../lib/json/json';
import type { Issue } from '../loop/contract/evaluation';
import { shownTexts, withoutMarkers } from '../lib/text/echoed-markers';
import { callsOfActions, toolName } from '../loop/step-state/tools';
import type { ModelCallStep } from '../loop/contract/steps';
import { templateMentions, templateNames } from '../lib/text/template-reads';
import type { ChatMessage, ChatTurn, ToolDescription } from '../lib/models/types';
import { fenceText, isFenceCode, MARKERS_NOTE } from '../lib/templates/fence';
import { type FencedText, renderFencedAsync } from '../lib/templates';
import { appendToUser } from '../lib/models/append-to-user';
import { loadAttachments, withAttachments } from './attachments';
import { replyOf, valueOf, LENIENT, staysText } from './reply';
import { toolsOf } from './tool';
import { ASK_PERSON } from '../loop/step-state/ask-person';
import type { ActionRegistry, StepContext, StepArguments } from './types';
import { type ModelReply, REPLY_CHARACTERS, type Turn } from '../loop/state/model-reply';
import type { StepOutcome } from '../loop/step-state/step-call';
import { jsonInText, largeIntegerIn, lenientJsonIn } from '../loop/evaluation/output-reading';
import { differences } from '../lib/text/json-difference';
import { soleFence } from '../lib/text/sole-fence';

type Extracted = { output: Json; warnings: string[] };

/** A fenced block: its marks, its content, and its end, or the end of the text if nothing closes it. */
const BLOCK = /^[ \t]{0,3}(`{3,20}|~{3,20})[^`\n]*\r?\n((?:[^\n]*\n)*?)(?:[ \t]{0,3}\1[ \t]*$|(?![^]))/gm;

function codeIn(text: string): Extracted {
  const blocks = Array.from(`${text}\n`.matchAll(BLOCK), ([, , inside = '']) => inside.replace(/\r?\n$/, ''));
  if (blocks.length === 0) return { output: text, warnings: [] };
  const longest = blocks.reduce((one, other) => (other.length > one.length ? other : one));
  const isGuess = blocks.some((block) => block !== longest);
  const warning = `the reply holds ${blocks.length} code blocks: the longest one was taken`;
  return { output: longest, warnings: isGuess ? [warning] : [] };
}

function jsonIn(text: string): Extracted {
  const strict = [...jsonInText(text)];
  const found = strict.length > 0 ? strict : lenientJsonIn(text);
  if (found.length === 0) return { output: text, warnings: ['the reply holds no JSON, and stays a text'] };
  const large = largeIntegerIn(text);
  if (large) return { output: text, warnings: [staysText(large)] };
  const { value } = found.reduce((one, other) => (other.start > one.start ? other : one));
  const isGuess = found.some((each) => differences(each.value, value, 1).length > 0);
  return {
    output: value,
    warnings: [
      ...(isGuess ? [`the reply holds ${found.length} JSON values: the last one was taken`] : []),
      ...(strict.length > 0 ? [] : [LENIENT]),
    ],
  };
}

/** Extracts the requested code or JSON from a reply, with a warning if it had to choose among several candidates. */
export function extractOutput(output: Json, extract: ModelCallStep['extract']): Extracted {
  if (typeof output !== 'string' || extract === undefined) return { output, warnings: [] };
  if (extract === 'code') return codeIn(output);
  return extract === 'json' ? jsonIn(output) : { output: soleFence(output) ?? output, warnings: [] };
}

export interface RenderedCall {
  messages: ChatMessage[];
  task?: string;
  /** Some of the text is between markers. */
  isFenced: boolean;
  warnings: string[];
}

export interface CallMessages extends Pick<RenderedCall, 'messages' | 'warnings'> {
  /** An answer to the messages that was given before, and the request that follows it. */
  later?: {
    turns: readonly Turn[];
    /** Left out for an answer that a person replaced: it is the last of the turns. */
    answer?: string;
    request: string;
    /** The part of the request that a later one is to remember. */
    remembered: string;
  };
}

export async function runModelCall(
  step: ModelCallStep,
  input: StepArguments,
  context: StepContext,
): Promise<StepOutcome> {
  const call = await renderCall(step, input);
  const isFenced = call.isFenced || input.turns?.some(({ role }) => role !== 'assistant');
  return callModel(isFenced ? { ...call, messages: explainMarkers(call.messages) } : call, step, input, context);
}

export async function callModel(
  { messages, warnings, later }: CallMessages,
  step: ModelCallStep,
  input: StepArguments,
  { models, actions, signal, ...rest }: StepContext,
): Promise<StepOutcome> {
  signal.throwIfAborted();
  const attachments = await loadAttachments(step.attachments, input, { ...rest, signal });
  const { tools: named = [] } = step;
  await actions.learn(named, signal);
  const mayCall = named.length > 0 && !input.withoutTools;
  const history = [...(later?.turns ?? []), ...(input.turns ?? [])];
  const tools = named.length > 0 ? toolsOf(named, actions) : toolsOfHistory(history, actions);
  const wanted = replyOf(step, { ...input, ...(!mayCall && tools && { withoutTools: true }) }, tools !== undefined);
  const { remaining } = input;
  const notes = [wanted.words, later ? undefined : remaining].filter((note) => note !== undefined);
  const told = notes.length === 0 ? messages : appendToUser(messages, notes.join('\n\n'));
  const sent = withLater(
    { messages: withAttachments(told, attachments), turns: spokenTurns(input.turns ?? []) },
    later && remaining !== undefined ? { ...later, request: `${later.request}\n\n${remaining}` } : later,
  );
  const reply = await models.call({
    model: step.model ?? input.model,
    ...sent,
    tools,
    toolChoice: tools && !mayCall ? 'none' : undefined,
    temperature: step.temperature,
    seed: step.seed,
    topP: step.topP,
    stop: step.stop,
    reasoningEffort: step.reasoningEffort,
    maxTokens: step.maxTokens,
    tokensLeft: input.maxTokens,
    maxUsd: input.maxUsd,
    reply: wanted.reply,
    timeoutMs: input.timeoutMs,
    signal,
  });
  const { toolCalls } = reply;
  const prompt = [...sent.messages, ...sent.turns].map(({ content }) => content);
  const echoed = withoutMarkers(reply.text, shownTexts(reply.text, prompt, isFenceCode));
  const said = echoed ? { ...reply, text: echoed.text } : reply;
  // A model that calls tools although it may call none has nothing more to add.
  const deaf = toolCalls && !mayCall ? ['the model went on calling tools although it had no calls left'] : [];
  const read = toolCalls ? { output: said.text, warnings: [] } : valueOf(said, step, wanted);
  const taken = extractOutput(read.output, toolCalls || reply.cutOff ? undefined : step.extract);
  const cutOff = reply.cutOff ? ['the reply was cut off at its token limit'] : [];
  const kept = toolCalls || reply.isByFallback ? undefined : replyToKeep(said.text, taken.output);
  return {
    output: taken.output,
    ...(kept && { reply: kept }),
    ...(kept && later && step.context === 'conversation' && { request: later.remembered }),
    ...(reply.cutOff && { cutOff: true as const }),
    ...(echoed?.fault !== undefined && !toolCalls && { faults: [echoed.fault] }),
    tokenUsage: reply.usage,
    warnings: [
      ...warnings,
      ...(reply.warnings ?? []),
      ...(echoed ? [echoed.warning] : []),
      ...read.warnings,
      ...taken.warnings,
      ...cutOff,
      ...deaf,
    ],
    ...(toolCalls && mayCall && { toolCalls: callsOfActions(toolCalls, named) }),
  };
}

/** The tools that a conversation called: endpoints refuse calls in it where a request offers none, although none may be called now. */
function toolsOfHistory(turns: readonly Turn[], actions: ActionRegistry): ToolDescription[] | undefined {
  const called = turns.flatMap((turn) => (turn.role === 'assistant' ? turn.toolCalls : [])).map(({ name }) => name);
  if (called.length === 0) return undefined;
  return [...new Set(called)].map((name) => {
    const isKnown = name === ASK_PERSON || actions.find(name) !== undefined;
    return isKnown
      ? toolsOf([name], actions)[0]!
      : { name: toolName(name), description: '', parameters: { type: 'object' } };
  });
}

/** The part of a reply from which a later revision can go on; undefined for a text that is too long to be kept. */
export function replyToKeep(text: string, output: Json): ModelReply | undefined {
  if (text === output) return {};
  return text.length > REPLY_CHARACTERS ? undefined : { text };
}

function withLater(
  { messages, turns }: { messages: ChatMessage[]; turns: ChatTurn[] },
  later: CallMessages['later'],
): { messages: ChatMessage[]; turns: ChatTurn[] } {
  if (!later) return { messages, turns };
  const exchange = [
    ...(later.answer === undefined ? [] : [{ role: 'assistant' as const, content: later.answer }]),
    { role: 'user' as const, content: later.request },
  ];
  if (later.turns.length === 0) return { messages: [...messages, ...exchange], turns };
  return { messages, turns: [...spokenTurns(later.turns), ...exchange, ...turns] };
}

/** Models' earlier writings are between markers. The last user message gets what the prompt leaves out: task, hint, guidance. */
export async function renderCall(step: ModelCallStep, input: StepArguments): Promise<RenderedCall> {
  const warnings = new Set<string>();
  let isFenced = false;
  const textOfRendered = (rendered: FencedText): string => {
    isFenced ||= rendered.isFenced;
    for (const warning of rendered.warnings) warnings.add(warning);
    return rendered.text;
  };
  const templates = templatesOf(step);
  const texts = templates.map(({ content }) => content);
  const rendered = await renderFencedAsync({ task: input.task, texts }, { state: input.state }, input.material);
  const task = rendered.task && textOfRendered(rendered.task);
  let messages = templates.map(({ role }, index) => ({ role, content: textOfRendered(rendered.texts[index]!) }));
  const isMentioned = templates.some(({ content }) => templateMentions(content, 'task'));
  if (task !== undefined && !isMentioned)
    messages = appendToUser(messages, isAlone(templates) ? task : `Task:\n${task}`);
  const addUnused = (variable: string, introduction: string, label: string, material: string | undefined): void => {
    if (material === undefined || templates.some(({ content }) => templateNames(content, variable))) return;
    isFenced = true;
    messages = appendToUser(messages, `${introduction}:\n${fenceText(label, material)}`);
  };
  const { reflection_hint: hint = '', reflection_insights: insights, reflection_guidance: guidance } = input.state;
  const advice = hint === null || hint === '' ? undefined : textOf(hint);
  addUnused('reflection_hint', 'Advice from reviewing an earlier attempt; follow it', 'ADVICE', advice);
  const learned = Array.isArray(insights)
    ? insights.map((insight) => `- ${textOf(insight).replaceAll('\n', ' ')}`).join('\n')
    : undefined;
  addUnused('reflection_insights', 'Learned in earlier runs; use what fits', 'INSIGHTS', learned);
  const said = typeof guidance === 'string' ? guidance : undefined;
  addUnused('reflection_guidance', 'A reviewer says, and has the last word', 'REVIEWER', said);
  return { messages, task, isFenced, warnings: [...warnings] };
}

function templatesOf({ system, prompt, messages }: ModelCallStep): ChatMessage[] {
  return [
    ...(system === undefined ? [] : [{ role: 'system' as const, content: system }]),
    ...(messages ?? []),
    ...(prompt === undefined ? [] : [{ role: 'user' as const, content: prompt }]),
  ];
}

/** Nothing but a system message: then the task is the whole user message. */
function isAlone(templates: ChatMessage[]): boolean {
  return templates.every(({ role }) => role === 'system');
}

export function explainMarkers(messages: ChatMessage[]): ChatMessage[] {
  const index = messages.findIndex(({ role }) => role === 'system');
  if (index === -1) return [{ role: 'system', content: MARKERS_NOTE }, ...messages];
  return messages.map((message, position) =>
    position === index ? { ...message, content: `${message.content}\n\n${MARKERS_NOTE}` } : message,
  );
}

function line({ message, severity, suggestion }: Pick<Issue, 'message' | 'severity' | 'suggestion'>): string {
  const how = suggestion === undefined ? '' : ` (${suggestion})`;
  return `- ${severity === undefined ? '' : `${severity}: `}${message}${how}`;
}

/** Converts turns to the form in which a model gets them. Reviews and results of tools are material, never an instruction. */
export function spokenTurns(turns: readonly Turn[]): ChatTurn[] {
  return turns.map((turn): ChatTurn => {
    if (turn.role === 'request') return { role: 'user', content: turn.content };
    if (turn.role === 'assistant') {
      if (turn.toolCalls.length === 0) return { role: 'assistant', content: turn.content };
      return { ...turn, toolCalls: turn.toolCalls.map((call) => ({ ...call, name: toolName(call.name) })) };
    }
    if (turn.role === 'tool') {
      const result = fenceText('RESULT', turn.content);
      const content = turn.byPerson ? `A person says, and has the last word:\n${result}` : result;
      return { role: 'tool', toolCallId: turn.toolCallId, content };
    }
    const found = [...turn.issues.map(line), ...turn.suggestions.map((message) => line({ message }))].join('\n');
    return { role: 'user', content: `A review of the work so far. Go on, and mind it:\n${fenceText('REVIEW', found)}` };
  });
}
