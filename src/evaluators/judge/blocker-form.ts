import { isJsonObject, type Json } from '../../lib/json/json';
import type { ChatMessage, ReplySchema } from '../../lib/models/types';
import { BLOCKERS } from '../../loop/base/choices';
import { MISSING_WORDS } from './judge-contract';

/*
 * A spec may let judges name blockers (`judge.blockers`): in the forms of all judges, one field takes the place of
 * `missingInformation`. Nothing else of a prompt changes, and no prompt of other specs does.
 */

const BLOCKER_WORDS =
  'blocker (null if a writer who has only this prompt could repair it; else what it needs of a person: information, a fact that ' +
  'is nowhere in this prompt; decision; permission; external, something done elsewhere; contradiction in the task)';

const BLOCKER_FIELD: Json = { anyOf: [{ type: 'string', enum: [...BLOCKERS] }, { type: 'null' }] };

const rename = (name: string): string => (name === 'missingInformation' ? 'blocker' : name);

function withBlocker(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withBlocker);
  if (!isJsonObject(schema)) return typeof schema === 'string' ? rename(schema) : schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) =>
      key === 'missingInformation' ? ['blocker', BLOCKER_FIELD] : [key, withBlocker(value)],
    ),
  );
}

export function formWithBlockers({ name, schema }: ReplySchema): ReplySchema {
  return { name, schema: withBlocker(schema) as ReplySchema['schema'] };
}

export function messagesWithBlockers([form, ...material]: ChatMessage[]): ChatMessage[] {
  return form ? [{ ...form, content: form.content.replace(MISSING_WORDS, BLOCKER_WORDS) }, ...material] : [];
}
