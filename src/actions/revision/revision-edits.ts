import { isJsonObject, type Json } from '../../domain/base/json/json';
import { applyPatch, readPatch } from '../../domain/text/json-patch';
import { jsonInText } from '../../domain/evaluation/output-reading';
import { applyTextEdits, readTextEdits, withLineEndsOf } from '../../domain/text/text-edits';

/** What a reply to a request for edits amounts to. */
export type EditedOutput =
  | { output: Json }
  /** The reply holds edits that cannot be applied. */
  | { problem: string }
  /** The reply holds no edits: it is the output as a whole. */
  | 'whole';

const PATCH_ORDER = [
  'Change only what is named above. Return a JSON Patch (RFC 6902) in this form, and nothing else:',
  '{"patch": [{"op": "replace", "path": "/items/0/name", "value": "new"}, {"op": "add", "path": "/items/-", "value": {}},',
  ' {"op": "remove", "path": "/old"}]}',
].join('\n');

const TEXT_ORDER = [
  'Change only what is named above. Return edits and nothing else, each in exactly this form:',
  '<<<<<<< SEARCH',
  'lines as they stand in the output, to the letter, enough of them to occur only once',
  '=======',
  'the lines that take their place',
  '>>>>>>> REPLACE',
  'If nearly all of it has to change, return the corrected output as a whole instead, without introduction or markers.',
].join('\n');

/** Asks for edits of an output, in the form that suits it. */
export function editOrder(output: Json): string {
  return typeof output === 'object' && output !== null ? PATCH_ORDER : TEXT_ORDER;
}

/** Applies the edits in a reply to the output that they were asked for. What they do not touch stays as it is. */
export function editedOutput(reply: string, output: Json): EditedOutput {
  if (typeof output === 'object' && output !== null) return patchedOutput(reply, output);
  const text = typeof output === 'string' ? output : JSON.stringify(output);
  const edits = readTextEdits(reply);
  if ('problem' in edits) return edits;
  if (edits.length === 0)
    return hasMarkers(reply) && !hasMarkers(text) ? { problem: 'the edits cannot be read' } : 'whole';
  const result = applyTextEdits(text, withLineEndsOf(text, edits));
  return 'problem' in result ? result : { output: result.text };
}

/** True for a text with what begins or ends an edit, as models write it when they do not keep to the form. */
function hasMarkers(text: string): boolean {
  return /^[ \t]{0,20}(?:<{5,9} ?(?:SEARCH|ORIGINAL)|>{5,9} ?(?:REPLACE|UPDATED))\b/im.test(text);
}

/** The operations that a value of a reply lists: in the form that was asked for, or as a document of RFC 6902 does. */
function operationsIn(value: Json, output: Json): Json | undefined {
  if (isJsonObject(value)) return Array.isArray(value['patch']) ? value['patch'] : undefined;
  // Where the output is such a list itself, another one is the output.
  return readPatch(value) && !readPatch(output) ? value : undefined;
}

/** True for a reply with operations that the output has none of: a patch that was cut off, or is no JSON. */
function speaksOfOperations(reply: string, output: Json): boolean {
  const operation = /"op"\s{0,9}:\s{0,9}"(?:add|remove|replace|move|copy|test)"/;
  return operation.test(reply) && !operation.test(JSON.stringify(output));
}

function patchedOutput(reply: string, output: Json): EditedOutput {
  for (const { value } of jsonInText(reply)) {
    const operations = operationsIn(value, output);
    if (operations === undefined) continue;
    const patch = readPatch(operations);
    if (!patch) return { problem: 'the patch is not one of RFC 6902' };
    const result = applyPatch(output, patch);
    return 'problem' in result ? result : { output: result.value };
  }
  return speaksOfOperations(reply, output) ? { problem: 'the patch cannot be read' } : 'whole';
}

/** A model's reply, and the output that it was to edit. */
export interface EditReply {
  reply: string;
  output: Json;
}

/** `editedOutput` of one argument. */
export function outputOfEdits({ reply, output }: EditReply): EditedOutput {
  return editedOutput(reply, output);
}
