/**
 * A service between a worker and a chat: it takes the notifications of waits, checks who signed them, and posts a line for each to
 * the incoming webhook of a chat, which wants a body of its own. Start it, and then a worker that tells it of waits:
 *
 *     REFLECT_NOTIFY_SECRET=… CHAT_WEBHOOK=https://chat.example.com/hooks/… npx tsx examples/notification-relay.ts
 *     REFLECT_NOTIFY_SECRET=… REFLECT_NOTIFY_URL=http://127.0.0.1:8090/ REFLECT_ALLOW_PRIVATE_ADDRESSES=1 npx reflect worker
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import type { WaitNotification } from 'durable-reflection';

/** Ids of messages that were passed on. A service with several processes keeps them in a database. */
const seen = new Set<string>();

/** Returns whether a message was signed with the secret within the last five minutes. */
export function isGenuine(headers: IncomingHttpHeaders, body: string, secret: string): boolean {
  const [id, time, signatures] = ['id', 'timestamp', 'signature'].map((name) => String(headers[`webhook-${name}`]));
  if (!(Math.abs(Date.now() / 1_000 - Number(time)) < 300)) return false;
  const wanted = createHmac('sha256', secret).update(`${id}.${time}.${body}`).digest();
  return signatures!.split(' ').some((each) => {
    const given = Buffer.from(each.replace(/^v1,/, ''), 'base64');
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  });
}

/** Writes a line of chat for each wait. */
export function chatText({ data: { waits, more = 0 } }: WaitNotification): string {
  const lines = waits.map(({ name, workflowId, what, until, reminder, links }) => {
    const link = links.review ?? links.webUi ?? workflowId;
    return `${reminder ? 'Still waiting' : 'Waiting'}: ${name ?? workflowId}, ${what}, until ${until}. ${link}`;
  });
  return [...lines, ...(more > 0 ? [`… and ${more} more`] : [])].join('\n');
}

/** Creates the service. `text` is the body of Slack, Mattermost and Google Chat; Discord reads `content`. */
export function relayService(secret: string, chatWebhook: string): Server {
  return createServer((request, response) => {
    const relay = async (): Promise<number> => {
      const body = await text(request);
      if (!isGenuine(request.headers, body, secret)) return 401;
      const message = JSON.parse(body) as WaitNotification;
      if (seen.has(message.id)) return 204;
      const line = chatText(message);
      const answer = await fetch(chatWebhook, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ text: line, content: line }),
      });
      // The worker sends the same message again.
      if (!answer.ok) return 502;
      seen.add(message.id);
      return 204;
    };
    relay().then(
      (status) => response.writeHead(status).end(),
      () => response.writeHead(502).end(),
    );
  });
}

if (require.main === module) {
  const { REFLECT_NOTIFY_SECRET = '', CHAT_WEBHOOK = '' } = process.env;
  if (!REFLECT_NOTIFY_SECRET || !CHAT_WEBHOOK) throw new Error('set REFLECT_NOTIFY_SECRET and CHAT_WEBHOOK');
  relayService(REFLECT_NOTIFY_SECRET, CHAT_WEBHOOK).listen(8090, '127.0.0.1');
}
