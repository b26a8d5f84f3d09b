import type { ServerResponse } from 'node:http';
import { type Move, sendJson, serveStrictly, type StrictServer, textOfMove } from './strict-server';

interface Block {
  type: string;
  [field: string]: unknown;
}

interface Body {
  messages: { role: string; content: Block[] | string }[];
  stream?: boolean;
}

const blocksOf = ({ content }: Body['messages'][number]): Block[] => (typeof content === 'string' ? [] : content);

/** The thought before other blocks: the same for the same blocks, so that it can be demanded back. */
function thoughtBefore(blocks: readonly Block[]): Block {
  const called = blocks.find(({ type }) => type === 'tool_use');
  const about = called ? String(called['name']) : 'the text';
  return { type: 'thinking', thinking: `Thought about ${about}.`, signature: `signature-${about}` };
}

/** Anthropic's refusal where thinking is on: https://github.com/vercel/ai/issues/8865, https://github.com/openai/openai-agents-js/issues/770. */
function refuseUnsigned({ messages }: Body) {
  const turns = messages.flatMap((message, index) =>
    message.role === 'assistant' ? [{ index, blocks: blocksOf(message) }] : [],
  );
  const withCalls = turns.filter(({ blocks }) => blocks.some(({ type }) => type === 'tool_use'));
  for (const { index, blocks } of withCalls) {
    const [first] = blocks;
    const { thinking, signature } = thoughtBefore(blocks);
    if (first?.['thinking'] === thinking && first?.['signature'] === signature) continue;
    const message = `messages.${index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first?.type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks).`;
    return { status: 400, json: { type: 'error', error: { type: 'invalid_request_error', message } } };
  }
  return undefined;
}

function blocksOfMove(move: Move, turn: number, body: Body): Block[] {
  if (!('calls' in move)) return [thoughtBefore([]), { type: 'text', text: textOfMove(move, body) }];
  const calls = move.calls.map(({ name, input }, index) => ({
    type: 'tool_use',
    id: `toolu_${turn}_${index}`,
    name,
    input,
  }));
  return [thoughtBefore(calls), ...calls];
}

/** The events of a block: its beginning without content, its content in pieces, its end. */
function* eventsOf(block: Block, index: number): Generator<Block> {
  const delta = (fields: object) => ({ type: 'content_block_delta', index, delta: fields });
  const start = (fields: object) => ({
    type: 'content_block_start',
    index,
    content_block: { type: block.type, ...fields },
  });
  if (block.type === 'thinking') {
    yield start({ thinking: '', signature: '' });
    yield delta({ type: 'thinking_delta', thinking: block['thinking'] });
    yield delta({ type: 'signature_delta', signature: block['signature'] });
  } else if (block.type === 'text') {
    yield start({ text: '' });
    yield delta({ type: 'text_delta', text: block['text'] });
  } else {
    yield start({ id: block['id'], name: block['name'], input: {} });
    yield delta({ type: 'input_json_delta', partial_json: JSON.stringify(block['input']) });
  }
  yield { type: 'content_block_stop', index };
}

function sendMessage(response: ServerResponse, content: Block[], isStreamed: boolean): void {
  const reason = content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn';
  const usage = { input_tokens: 10, output_tokens: 5 };
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content,
    stop_reason: reason,
    stop_sequence: null,
    usage,
  };
  if (!isStreamed) return sendJson(response, message);
  const events = [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    ...content.flatMap((block, index) => [...eventsOf(block, index)]),
    { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ];
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  response.end();
  return undefined;
}

/** Starts a server that speaks Anthropic's Messages, with a model that thinks and signs its thoughts. */
export async function startStrictAnthropic(moves: readonly Move[]): Promise<StrictServer<{ stream?: boolean }>> {
  return serveStrictly<Body>(refuseUnsigned, (body, response, turn) => {
    const move = moves[turn - 1];
    if (!move)
      return sendJson(
        response,
        { type: 'error', error: { type: 'api_error', message: 'The script has run out.' } },
        500,
      );
    return sendMessage(response, blocksOfMove(move, turn, body), body.stream === true);
  });
}
