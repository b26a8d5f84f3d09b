import { Context } from '@temporalio/activity';

/** Milliseconds between two heartbeats of an activity; the worker passes on fewer. */
const BEAT_MS = 2_000;

/** The activities of a loop that somebody would write by hand. */
export interface PlainActivities {
  write(task: { text: string; feedback?: string }): Promise<string>;
  judge(output: string): Promise<{ valid: boolean; reason: string }>;
}

/** They ask an endpoint that speaks OpenAI's chat completions. */
export function plainActivities(baseUrl: string): PlainActivities {
  async function ask(content: string, structured: boolean): Promise<string> {
    const { cancellationSignal, heartbeat } = Context.current();
    const beats = setInterval(heartbeat.bind(Context.current()), BEAT_MS);
    try {
      const response = await fetch(`${baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer scripted' },
        body: JSON.stringify({
          model: 'm',
          messages: [{ role: 'user', content }],
          ...(structured ? { response_format: { type: 'json_object' } } : {}),
        }),
        signal: cancellationSignal,
      });
      if (!response.ok) throw new Error(`the model answered ${response.status}`);
      const body = (await response.json()) as { choices: [{ message: { content: string } }] };
      return body.choices[0].message.content;
    } finally {
      clearInterval(beats);
    }
  }
  return {
    write: async ({ text, feedback }) => ask(feedback === undefined ? text : `${text}\n${feedback}`, false),
    judge: async (output) => JSON.parse(await ask(`Judge: ${output}`, true)) as { valid: boolean; reason: string },
  };
}
