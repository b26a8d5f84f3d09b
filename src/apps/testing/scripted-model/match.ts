import type { Match, Pattern, ScriptedRequest, ScriptEntry } from './script';

type Fits = (request: ScriptedRequest) => boolean;

const fitsOfReplies = new WeakMap<object, Fits>();

export function bindReply<Reply extends object>(reply: Reply, fits: Fits): Reply {
  fitsOfReplies.set(reply, fits);
  return reply;
}

export function fitsEntry(entry: ScriptEntry, request: ScriptedRequest): boolean {
  const reply = 'reply' in entry ? entry.reply : undefined;
  const fits = typeof reply === 'function' ? fitsOfReplies.get(reply) : undefined;
  return (fits?.(request) ?? true) && matches(entry.match, request);
}

function matches(match: Match | undefined, request: ScriptedRequest): boolean {
  if (match === undefined) return true;
  if (typeof match === 'function') return match(request);
  if (typeof match === 'string' || match instanceof RegExp) return matchesPattern(match, request.text);
  return (
    matchesPattern(match.last, request.last) &&
    matchesPattern(match.model, request.body.model) &&
    matchesPattern(match.text, request.text)
  );
}

export function matchesPattern(pattern: Pattern | undefined, text: string): boolean {
  if (pattern === undefined) return true;
  if (typeof pattern === 'string') return new RegExp(pattern, 's').test(text);
  // With the flags g or y a RegExp remembers where it stopped, and the next request would be matched from there.
  return new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, '')).test(text);
}
