import type { ScriptedRequest, ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import { judgementOf, type ModelBehaviour, MODELS, tasksOf } from './work';

interface AskedForm {
  tool_choice?: unknown;
  response_format?: { json_schema?: { name?: string } };
  tools?: { function: { name: string } }[];
  messages: { role: string }[];
}

/** More answers than a checklist has questions: those that nobody asked for are ignored. */
const QUESTIONS = 20;

/** What judges are asked for has another form for each kind of question. */
function replyTo(form: string, behaviour: ModelBehaviour): unknown {
  const judged = judgementOf(behaviour.judges);
  if (form === 'comparison') {
    return { reason: 'so', faults_first: [], faults_second: [], better: 'first', margin: 'clear', confidence: 0.9 };
  }
  if (form !== 'checklist') return { reason: 'so', confidence: 0.9, ...judged };
  const answers = Array.from({ length: QUESTIONS }, (_, index) => ({
    question: `q${index + 1}`,
    finding: 'it is missing',
    answer: 'no',
    severity: 'major',
    path: null,
    suggestion: null,
    missingInformation: false,
  }));
  return { answers, confidence: 0.9 };
}

/** The answer of a scripted model, by its name and by what it is asked for. */
export function answerTo({ body, last }: ScriptedRequest): ScriptEntry {
  const asked = body as unknown as AskedForm;
  const behaviour: ModelBehaviour = MODELS[body.model as keyof typeof MODELS] ?? {};
  const form = asked.response_format?.json_schema?.name;
  // The schema of an output goes along with drafts and rewrites; every other form is a judge's.
  if (form !== undefined && form !== 'output') return { reply: replyTo(form, behaviour) };
  const { tools } = behaviour;
  const mayCall = asked.tools !== undefined && asked.tool_choice !== 'none';
  if (tools && mayCall && asked.messages.filter(({ role }) => role === 'assistant').length < tools.rounds) {
    const given = { bytes: 10_000, words: 'x'.repeat(tools.argumentLength) };
    return {
      toolCalls: Array.from({ length: tools.calls }, () => ({
        name: asked.tools![0]!.function.name,
        arguments: given,
      })),
    };
  }
  if (/"tasks"/.test(last)) return { reply: { tasks: tasksOf(behaviour.tasks ?? 2) } };
  return { reply: `Written: ${last.length} `.padEnd(behaviour.writes ?? 20, 'x') };
}
