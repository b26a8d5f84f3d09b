import { isJsonObject, type Json, type JsonObject } from '../../lib/json/json';
import { shortenText } from '../../loop/step-state/tools';

const MOST_CHARACTERS = 4 * 1024 * 1024;
const NAME_CHARACTERS = 200;
const MOST_PARTS = 10_000;
const SCHEMA_CHARACTERS = 32 * 1024;
const TOOL_NAME_CHARACTERS = 128;
const DESCRIPTION_CHARACTERS = 1_024;

export interface ServerTool {
  name: string;
  description: string;
  inputSchema: JsonObject;
  problem?: string;
}

export interface ToolResult {
  text: string;
  structured?: Json;
  isError: boolean;
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function textIn(value: unknown, name: string): string {
  const found = field(value, name);
  return typeof found === 'string' ? found : '';
}

function listIn(value: unknown, name: string): unknown[] {
  const found = field(value, name);
  return Array.isArray(found) ? found : [];
}

function shortenName(text: string): string {
  return shortenText(text.slice(0, 2 * NAME_CHARACTERS).replace(/\s+/g, ' '), NAME_CHARACTERS);
}

function textOfPart(part: unknown): string {
  const type = textIn(part, 'type');
  const mimeType = shortenName(textIn(part, 'mimeType'));
  switch (type) {
    case 'text':
      return textIn(part, 'text');
    case 'image':
    case 'audio':
      return `[${type}, ${mimeType}, ${Math.floor((textIn(part, 'data').length * 3) / 4)} bytes: not shown]`;
    case 'resource_link': {
      const named = [textIn(part, 'title') || textIn(part, 'name'), mimeType, textIn(part, 'description')];
      return `[resource ${shortenName(textIn(part, 'uri'))}: ${named.map(shortenName).filter(Boolean).join(', ')}]`;
    }
    case 'resource': {
      const resource = field(part, 'resource');
      const kind = shortenName(textIn(resource, 'mimeType')) || 'of no named type';
      const place = `resource ${shortenName(textIn(resource, 'uri'))}, ${kind}`;
      const text = field(resource, 'text');
      return typeof text === 'string' ? `[${place}]\n${text}` : `[${place}, binary: not shown]`;
    }
    default:
      return `[a part of the unknown type "${shortenName(type)}": not shown]`;
  }
}

/**
 * Reads the result of a tool. The schemas of the MCP SDK are not used: they take seconds for a megabyte of parts of an unknown
 * type, on the event loop.
 */
export function readResult(result: unknown): ToolResult {
  const content = listIn(result, 'content');
  const parts: string[] = [];
  let left = MOST_CHARACTERS;
  for (const part of content.slice(0, MOST_PARTS)) {
    if (left < 0) break;
    const text = textOfPart(part);
    parts.push(text);
    left -= text.length + 1;
  }
  if (content.length > MOST_PARTS) parts.push(`[${content.length - MOST_PARTS} more parts: not shown]`);
  const structured = field(result, 'structuredContent');
  return {
    text: shortenText(parts.join('\n'), MOST_CHARACTERS),
    ...(isJsonObject(structured as Json) && { structured: structured as Json }),
    isError: field(result, 'isError') === true,
  };
}

/** Counts the characters of a schema; returns more than any schema may have if it nests so deeply that it has no text. */
function lengthOf(schema: JsonObject): number {
  try {
    return JSON.stringify(schema).length;
  } catch {
    return Infinity;
  }
}

function readTool(tool: unknown): ServerTool[] {
  const name = textIn(tool, 'name');
  const schema = field(tool, 'inputSchema');
  if (name === '' || name.length > TOOL_NAME_CHARACTERS || !isJsonObject(schema as Json)) return [];
  const said = textIn(tool, 'description') || textIn(tool, 'title') || name;
  const told = { name, description: shortenText(said, DESCRIPTION_CHARACTERS) };
  const length = lengthOf(schema as JsonObject);
  if (length <= SCHEMA_CHARACTERS) return [{ ...told, inputSchema: schema as JsonObject }];
  const problem = `the JSON Schema of its parameters has ${length} characters; ${SCHEMA_CHARACTERS} at most`;
  return [{ ...told, inputSchema: {}, problem }];
}

/** Leaves out tools without a name or a schema, and tools whose name is longer than the protocol allows. */
export function readTools(page: unknown, most: number): { tools: ServerTool[]; nextCursor: string | undefined } {
  const tools = listIn(page, 'tools')
    .slice(0, most)
    .flatMap((tool) => readTool(tool));
  return { tools, nextCursor: textIn(page, 'nextCursor') || undefined };
}
