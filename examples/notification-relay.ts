/**
 * A service between a worker and a chat: it takes the notifications of waits, checks who signed them, and posts a line for each to
 * the incoming webhook of a chat, which wants a body of its own. Start it, and then a worker that tells it of waits:
 *
 *     REFLECT_NOTIFY_SECRET=… CHAT_WEBHOOK=https://chat.example.com/hooks/… npx tsx examples/notification-relay.ts
 *     REFLECT_NOTIFY_SECRET=… REFLECT_NOTIFY_URL=http://127.0.0.1:8090/ REFLECT_ALLOW_PRIVATE_ADDRESSES=1 npx reflect worker
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http';
import type { WaitNotification } from 'durable-reflection';

/** Ids of messages that were passed on. A service with several processes keeps them in a database. */
const seen = new Set<string>();

/**
 * Returns whether a message was signed with one of the secrets within the last five minutes.
 *
 * @param secrets as the worker has them: one, or two with a space between them while one is replaced
 */
export function isGenuine(headers: IncomingHttpHeaders, body: string, secrets: string): boolean {
  const [id, time, signatures] = ['id', 'timestamp', 'signature'].map((name) => String(headers[`webhook-${name}`]));
  if (!(Math.abs(Date.now() / 1_000 - Number(time)) < 300)) return false;
  const given = signatures!.split(' ').map((each) => Buffer.from(each.replace(/^v1,/, ''), 'base64'));
  return secrets.split(/\s+/).some((secret) => {
    const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret);
    if (key.length === 0) return false;
    const wanted = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest();
    return given.some((each) => each.length === wanted.length && timingSafeEqual(each, wanted));
  });
}

/**
 * Makes a text of a model or a user plain in a chat: no mention (`<!channel>`, `@everyone`, `<@U1>`), no link (`<address|text>`,
 * `[text](address)`, an address that chats turn into a link), no other markup, and one line of at most 300 characters.
 */
export function plain(text: string): string {
  const line = text.slice(0, 300).replace(/[\s\p{C}]+/gu, ' ');
  const unlinked = line.replace(/[<>[\]()*_~`|&\\]/g, ' ').replace(/:\/\/|\bmailto:|\bwww\./gi, ' ');
  // A word joiner between them, which is not seen, ends a mention and a name of a host.
  return unlinked.replace(/@/g, '@\u2060').replace(/\.(?=\p{L})/gu, '.\u2060');
}

/** Writes a line of chat for each wait. The links are those that the owner of the worker configured. */
export function chatText({ data: { waits, more = 0 } }: WaitNotification): string {
  const lines = waits.map(({ name, workflowId, what, until, reminder, links }) => {
    const link = links.review ?? links.webUi ?? plain(workflowId);
    return `${reminder ? 'Still waiting' : 'Waiting'}: ${plain(name ?? workflowId)}, ${plain(what)}, until ${until}. ${link}`;
  });
  return [...lines, ...(more > 0 ? [`… and ${more} more`] : [])].join('\n');
}

/** A message has 50 waits at most, each with a text of 16,000 characters. */
const MOST_BYTES = 4 * 1_024 * 1_024;

/** Reads a body; undefined if it is too large. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Creates the service. `text` is the body of Slack, Mattermost and Google Chat; Discord reads `content`. */
export function relayService(secrets: string, chatWebhook: string): Server {
  return createServer((request, response) => {
    const relay = async (): Promise<number> => {
      // What is not signed is not read.
      if (!request.headers['webhook-signature']) return 401;
      const body = await bodyOf(request);
      if (body === undefined) return 413;
      if (!isGenuine(request.headers, body, secrets)) return 401;
      const message = JSON.parse(body) as WaitNotification;
      if (seen.has(message.id)) return 204;
      const line = chatText(message);
      const answer = await fetch(chatWebhook, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        // Discord mentions nobody then.
        body: JSON.stringify({ text: line, content: line, allowed_mentions: { parse: [] } }),
      });
      // The worker sends the same message again.
      if (!answer.ok) return 502;
      seen.add(message.id);
      return 204;
    };
    relay().then(
      (status) => response.writeHead(status, status === 204 ? {} : { connection: 'close' }).end(),
      () => response.writeHead(502).end(),
    );
  });
}

if (require.main === module) {
  const { REFLECT_NOTIFY_SECRET = '', CHAT_WEBHOOK = '' } = process.env;
  if (!REFLECT_NOTIFY_SECRET || !CHAT_WEBHOOK) throw new Error('set REFLECT_NOTIFY_SECRET and CHAT_WEBHOOK');
  relayService(REFLECT_NOTIFY_SECRET, CHAT_WEBHOOK).listen(8090, '127.0.0.1');
}
