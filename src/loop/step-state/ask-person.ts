import { isJsonObject, type Json, type JsonObject } from '../../lib/json/json';
import { jsonOrText } from '../../lib/json/json-or-text';
import { shownText } from '../../lib/names/protocol-text';
import type { ToolDescription } from '../../lib/models/types';
import { cutText } from '../../lib/text/summary-text';

/** The name of the built-in tool by which the model of a step asks a person. */
export const ASK_PERSON = 'ask_person';

export const QUESTION_CHARACTERS = 4_000;

const MOST_OPTIONS = 20;
const OPTION_CHARACTERS = 500;

export const ASK_PERSON_TOOL: ToolDescription = {
  name: ASK_PERSON,
  description:
    'Asks the person who is responsible for this task one question, and waits for the answer, which may take hours. Ask only for what ' +
    'the result depends on and what neither the prompt nor another tool can give. Only a few questions may be asked in all.',
  parameters: {
    type: 'object',
    properties: {
      question: { type: 'string', description: 'The question, with what a reader needs who sees nothing else.' },
      options: {
        type: 'array',
        items: { type: 'string' },
        description: 'Answers to choose from, if there are such. The person may give another one.',
      },
    },
    required: ['question'],
    additionalProperties: false,
  },
};

export interface AskedQuestion {
  question: string;
  options?: string[];
}

function optionText(option: Json): Json {
  if (!isJsonObject(option)) return typeof option === 'number' ? String(option) : option;
  const { label = null, value = null, description } = option;
  const said = optionText(label ?? value);
  return typeof description === 'string' && typeof said === 'string' ? `${said} (${description})` : said;
}

function ownForm(given: Json): Json {
  const { questions, ...rest } = isJsonObject(given) ? given : { questions: given };
  const listed = typeof questions === 'string' ? jsonOrText(questions) : questions;
  const [only, ...more] = Array.isArray(listed) ? listed : [];
  const asked = isJsonObject(only ?? null) && more.length === 0 ? { ...rest, ...(only as JsonObject) } : rest;
  const { options } = asked;
  const listedOptions = typeof options === 'string' ? jsonOrText(options) : options;
  return Array.isArray(listedOptions) ? { ...asked, options: listedOptions.map(optionText) } : asked;
}

/** @returns the question, or a text for the model that says what is wrong */
export function readQuestion(text: string): AskedQuestion | string {
  const given = ownForm(jsonOrText(text));
  const { question, options } = isJsonObject(given) ? given : {};
  if (typeof question !== 'string' || question.trim() === '') {
    return 'The arguments have no question: call the tool with {"question": "…"}.';
  }
  const asked = cutText(shownText(question.trim()), QUESTION_CHARACTERS);
  const suggested = (Array.isArray(options) ? options : [])
    .filter((option) => typeof option === 'string')
    .filter((option) => option.trim() !== '')
    .slice(0, MOST_OPTIONS)
    .map((option) => cutText(shownText(option.trim()), OPTION_CHARACTERS));
  return { question: asked, ...(suggested.length > 0 && { options: suggested }) };
}
