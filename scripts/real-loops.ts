/** The loops of `npm run test:real`: asks OPENAI_MODEL at OPENAI_BASE_URL. Ends with 0 when all is as it must be. */
import { installQuietRuntime } from '../src/apps/cli/worker/quiet-runtime';
import { connectOrStart } from '../src/apps/server';
import { realLoops } from '../testing/models/real/real-loops';

/** The provider's own endpoint, as its client has it. */
const OPENAI = 'https://api.openai.com/v1';

async function main(): Promise<number> {
  installQuietRuntime('ERROR');
  const server = await connectOrStart({ onProgress: (text) => console.error(text) });
  try {
    const { OPENAI_BASE_URL: baseUrl, OPENAI_MODEL: model = '' } = process.env;
    const checks = await realLoops({ address: server.address, model, baseUrl: baseUrl || OPENAI }, (check) =>
      console.log(check.problem === undefined ? `✓ ${check.name}` : `✗ ${check.name}: ${check.problem}`),
    );
    return checks.some(({ problem }) => problem !== undefined) ? 1 : 0;
  } finally {
    await server.stop();
  }
}

void main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
