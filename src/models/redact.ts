/** Characters of a provider's message that are kept: prompts are sometimes quoted in them. */
const LENGTH = 500;

/** Anything that has the form of a key or of a bearer token. */
const KEYS = /\b(?:sk|pk|rk)-[\w-]{6,}|\bBearer\s+[\w.~+/-]+=*/gi;

/** Values of environment variables shorter than this are too common to be secrets. */
const SHORTEST_SECRET = 8;

/** A vendor's message without anything that looks like a key, and without the keys of this process. */
export function redact(message: string, env: NodeJS.ProcessEnv = process.env): string {
  let text = message.replace(KEYS, '[redacted]');
  for (const [name, value] of Object.entries(env)) {
    if (/KEY|TOKEN|SECRET|PASSWORD/i.test(name) && value !== undefined && value.length >= SHORTEST_SECRET) {
      text = text.replaceAll(value, '[redacted]');
    }
  }
  return text.length > LENGTH ? `${text.slice(0, LENGTH)}…` : text;
}
