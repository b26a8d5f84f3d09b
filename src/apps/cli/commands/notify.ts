import { messageOf } from '../../../lib/base/message-of';
import { sendTrial } from '../../../worker/notify';
import { CliError } from '../support/cli-error';
import { EXIT } from '../support/exit-codes';
import { printText, writeJson } from '../terminal/say';
import { printable } from '../views/printable';

export async function notify({ test, json }: { test: string; json?: boolean }): Promise<number> {
  const answer = await sendTrial(test, process.env).catch((error: unknown) => {
    throw new CliError('NotificationFailed', printable(messageOf(error)));
  });
  if (json) writeJson(answer);
  else printText(`The receiver took it: ${answer.status}${answer.text === '' ? '' : `, "${printable(answer.text)}"`}.`);
  return EXIT.success;
}
