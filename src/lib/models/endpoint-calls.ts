import type OpenAI from 'openai';
import { callBackground, hasNoResponses } from './background-call';
import { callChat } from './chat-call';
import { addWarnings, callAdapted, LearnedHabits } from './habits/adapted-call';
import type { CallForm } from './habits/call-form';
import type { ChatReply, ChatRequest, ModelConfig } from './types';

const NO_BACKGROUND =
  'the endpoint has no background responses, so a crash during the call would have paid for it again';
const TOOLS_IN_FOREGROUND = 'calls with tools are not made in the background, so a crash during one pays for it again';

export class EndpointCalls {
  readonly #learned = new LearnedHabits();
  readonly #withoutBackground = new Set<string>();

  async call(client: OpenAI, config: ModelConfig, request: ChatRequest): Promise<ChatReply> {
    const { background } = request;
    const callInForeground = (): Promise<ChatReply> =>
      callAdapted(this.#learned, config, request, (form) => callChat(client, config, request, form));
    if (!config.background || !background) return callInForeground();
    if (request.tools) return addWarnings(await callInForeground(), TOOLS_IN_FOREGROUND);
    const endpoint = config.baseUrl ?? '';
    const hasNone = (): void => void this.#withoutBackground.add(endpoint);
    if (!this.#withoutBackground.has(endpoint)) {
      try {
        const callInBackground = (form: CallForm): Promise<ChatReply> =>
          callBackground(client, config, { ...request, background }, { form, answeredAtOnce: hasNone });
        const reply = await callAdapted(this.#learned, config, request, callInBackground, 'responses');
        return this.#withoutBackground.has(endpoint) ? addWarnings(reply, NO_BACKGROUND) : reply;
      } catch (error) {
        if (!hasNoResponses(error)) throw error;
        hasNone();
      }
    }
    return addWarnings(await callInForeground(), NO_BACKGROUND);
  }
}
