import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/sdk/types.js';
import type { Json } from '../domain/base/json/json';
import { shortened } from '../domain/step-state/tools';

/** Characters of a result that are kept: what a run takes is less, and is checked where the result is stored. */
const MOST_CHARACTERS = 4 * 1024 * 1024;
/** Of a name or address that the server chose. */
const NAME_CHARACTERS = 200;

/** A text of the server on one line. */
function named(text: string | undefined): string {
  return shortened((text ?? '').replace(/\s+/g, ' '), NAME_CHARACTERS);
}

function bytesOf(base64: string): number {
  return Math.floor((base64.length * 3) / 4);
}

/** A part of a result as text. What is no text is named and not shown. */
function textOfPart(part: ContentBlock): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'image':
    case 'audio':
      return `[${part.type}, ${named(part.mimeType)}, ${bytesOf(part.data)} bytes: not shown]`;
    case 'resource_link':
      return `[resource ${named(part.uri)}: ${named(part.title ?? part.name)}]`;
    case 'resource': {
      const { uri, mimeType } = part.resource;
      const size = 'text' in part.resource ? `${part.resource.text.length} characters` : 'binary';
      return `[resource ${named(uri)}, ${named(mimeType) || 'of no named type'}, ${size}: not shown]`;
    }
    default:
      return part satisfies never;
  }
}

/** The text of a tool's result. */
export function textOfResult({ content }: CallToolResult): string {
  return shortened(content.map(textOfPart).join('\n'), MOST_CHARACTERS);
}

/** What an action gives: the structure that the tool returned, or else its text. */
export function valueOfResult(result: CallToolResult): Json {
  return (result.structuredContent as Json | undefined) ?? textOfResult(result);
}
