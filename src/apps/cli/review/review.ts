import { userInfo } from 'node:os';
import pc from 'picocolors';
import type { TemporalOverrides } from '../../../lib/config';
import { CliError } from '../support/cli-error';
import { withClient } from '../support/connect';
import { EXIT } from '../support/exit-codes';
import { onInterrupt } from '../support/interrupts';
import { printText, writeJson } from '../terminal/say';
import { Pages } from './pages';
import { ReviewRuns } from './runs';
import { type ReviewServer, startReviewServer } from './server';

interface ReviewOptions extends TemporalOverrides {
  port: number;
  by?: string;
  json?: boolean;
}

/** `reflect review`: pages on which a person looks at runs and decides about them, until Ctrl-C. */
export async function review({ port, by, json, ...options }: ReviewOptions): Promise<number> {
  return withClient(options, async (client) => {
    const server = await startServer(port, new Pages(new ReviewRuns(client), by ?? userName()));
    const url = `${server.url}${server.access.path}`;
    if (json) writeJson({ url });
    else {
      printText(`Runs that wait for a person: ${pc.bold(url)}`);
      printText(
        'The link works once, in the browser that opens it first. Ctrl-C ends the pages; runs are not affected.',
      );
    }
    await waitForInterrupt();
    await server.close();
    return EXIT.success;
  });
}

async function waitForInterrupt(): Promise<void> {
  await new Promise<void>((resolve) => {
    const stopListening = onInterrupt(() => {
      stopListening();
      resolve();
    });
  });
}

async function startServer(port: number, pages: Pages): Promise<ReviewServer> {
  try {
    return await startReviewServer(port, pages);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    throw new CliError('PortInUse', `Port ${port} can not be used (${code}).`, 'Choose another with --port.');
  }
}

/** Returns the name of the user who runs the process. Some systems know none. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'reviewer';
  }
}
