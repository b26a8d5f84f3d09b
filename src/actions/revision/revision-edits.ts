import { isJsonObject, type Json } from '../../lib/json/json';
import { applyPatch, readPatch } from '../../lib/text/json-patch';
import { describesChange } from '../../lib/text/described-change';
import { largeIntegerText } from '../../lib/json/large-integers';
import { jsonInText, largeIntegerIn, soleJsonIn } from '../../loop/evaluation/output-reading';
import { applyTextEdits, readTextEdits, withLineEndsOf } from '../../lib/text/text-edits';

type EditedOutput =
  | { output: Json }
  | { problem: string }
  /** The reply holds no edits: it is the output as a whole. */
  | 'whole';

const PATCH_ORDER = [
  'Return a JSON Patch (RFC 6902) of the answer in this form, and nothing else:',
  '{"patch": [{"op": "replace", "path": "/items/0/name", "value": "new"}, {"op": "add", "path": "/items/-", "value": {}},',
  ' {"op": "remove", "path": "/old"}]}',
].join('\n');

const TEXT_ORDER = [
  'Return one or more edits of the answer and nothing else, each in exactly this form:',
  '<<<<<<< SEARCH',
  'a passage as it stands in the answer, to the letter: lines, or a part of a line, enough to occur only once',
  '=======',
  'what takes its place',
  '>>>>>>> REPLACE',
  'If nearly all of it has to change, write the whole answer again instead, without introduction or markers.',
].join('\n');

export function editOrder(output: Json): string {
  return typeof output === 'object' && output !== null ? PATCH_ORDER : TEXT_ORDER;
}

export function editedOutput(reply: string, output: Json): EditedOutput {
  if (typeof output === 'object' && output !== null) return patchedOutput(reply, output);
  const text = typeof output === 'string' ? output : JSON.stringify(output);
  const edits = readTextEdits(reply);
  if ('problem' in edits) return edits;
  if (edits.length === 0) return describesChange(reply, text) ? { problem: OTHER_FORM } : 'whole';
  const result = applyTextEdits(text, withLineEndsOf(text, edits));
  return 'problem' in result ? result : { output: result.text };
}

const OTHER_FORM = 'the edits cannot be read: they have another form than was asked for';

/** The operations that a value of a reply lists: in the requested form, or as a document of RFC 6902 does. */
function operationsIn(value: Json, output: Json): Json | undefined {
  if (isJsonObject(value)) return Array.isArray(value['patch']) ? value['patch'] : undefined;
  // Where the output is such a list itself, another one is the output.
  return readPatch(value) && !readPatch(output) ? value : undefined;
}

/** Whether an object only contains the changes to another one: as a merge patch, or by their paths. */
function isPartOf(value: Json, output: Json): boolean {
  if (!isJsonObject(value) || !isJsonObject(output)) return false;
  const keys = Object.keys(value);
  if (keys.length === 0) return false;
  const isByPlace = keys.every((key) => /^\/|[.[]/.test(key) && !Object.hasOwn(output, key));
  if (isByPlace)
    return Object.keys(output).some((key) => keys.some((place) => place.replace(/^\//, '').startsWith(key)));
  const isNew = keys.every(
    (key) => Object.hasOwn(output, key) && JSON.stringify(value[key]) !== JSON.stringify(output[key]),
  );
  return isNew && keys.length < Object.keys(output).length;
}

function patchedOutput(reply: string, output: Json): EditedOutput {
  const large = largeIntegerIn(reply);
  if (large) return { problem: largeIntegerText(large.source) };
  const results: EditedOutput[] = [];
  for (const { value } of jsonInText(reply)) {
    const operations = operationsIn(value, output);
    if (operations === undefined) continue;
    const patch = readPatch(operations);
    if (!patch) return { problem: 'the patch is not one of RFC 6902' };
    const result = applyPatch(output, patch);
    results.push('problem' in result ? result : { output: result.value });
  }
  const [first, ...others] = results;
  if (first && others.some((each) => JSON.stringify(each) !== JSON.stringify(first)))
    return { problem: 'the reply holds several patches, which differ' };
  if (first) return first;
  const whole = soleJsonIn(reply);
  const isChange =
    describesChange(reply, JSON.stringify(output, null, 2)) || (whole !== undefined && isPartOf(whole, output));
  return isChange ? { problem: 'the patch cannot be read: it has another form than was asked for' } : 'whole';
}
