import type { ScriptEntry } from '../../../src/apps/testing/scripted-model/script';
import type { Scenario } from '../scenario';
import { bad, hang, judged, modelled, written } from './specs';

/** Two versions are there, and the third call never answers. */
const stuck: ScriptEntry[] = [{ reply: bad }, { reply: bad }, hang];

/** What people send to a loop, and when. */
export const people: Scenario[] = [
  {
    name: 'accept-signal-in-call',
    ends: 'user_accepted',
    spec: modelled('accept-signal-in-call'),
    script: stuck,
    async meanwhile({ asked, handle }) {
      await asked(3);
      await handle.signal('accept', { by: 'reviewer' });
    },
  },
  {
    name: 'accept-update-in-call',
    ends: 'user_accepted',
    spec: modelled('accept-update-in-call'),
    script: stuck,
    async meanwhile({ asked, client, workflowId }) {
      await asked(3);
      await client.accept(workflowId, { iteration: 2, by: 'reviewer', reason: 'good enough' });
    },
  },
  {
    name: 'accept-before-draft',
    ends: 'user_accepted',
    spec: modelled('accept-before-draft'),
    script: [{ reply: bad, delayMs: 1_000 }],
    async meanwhile({ asked, handle }) {
      await asked(1);
      await handle.signal('accept', { by: 'early' });
    },
  },
  {
    name: 'accept-while-judged',
    ends: 'user_accepted',
    spec: judged('accept-while-judged'),
    script: [written({ reply: 'poem' }), hang],
    async meanwhile({ asked, client, workflowId }) {
      await asked(2);
      await client.accept(workflowId);
    },
  },
  {
    name: 'abort-in-call',
    ends: 'aborted',
    spec: modelled('abort-in-call'),
    script: stuck,
    async meanwhile({ asked, client, workflowId }) {
      await asked(3);
      await client.abort(workflowId, { by: 'operator' });
    },
  },
  {
    name: 'abort-before-draft',
    ends: 'aborted',
    spec: modelled('abort-before-draft', { onFailure: 'raise' }),
    script: [hang],
    async meanwhile({ asked, client, workflowId }) {
      await asked(1);
      await client.abort(workflowId);
    },
  },
  {
    name: 'refused-and-repeated',
    ends: 'aborted',
    spec: modelled('refused-and-repeated'),
    script: [{ reply: bad }, { reply: bad, delayMs: 1_000 }, hang],
    async meanwhile({ asked, handle, client, workflowId }) {
      await asked(2);
      await handle.signal('accept', { id: 'none', iteration: 9 });
      await handle.signal('guide', { id: 'one', text: 'more' });
      await handle.signal('accept', { id: 'one' });
      await handle.signal('accept', 'nonsense');
      await client.accept(workflowId, { iteration: 9 }).catch(() => undefined);
      // The loop goes on meanwhile: replay does not notice that the same commands come too early.
      await asked(3);
      await handle.signal('abort');
    },
  },
  {
    name: 'unknown-names',
    ends: 'aborted',
    spec: modelled('unknown-names'),
    script: [{ reply: bad }, { reply: bad, delayMs: 1_000 }, hang],
    async meanwhile({ asked, handle }) {
      await asked(2);
      await handle.signal('Accept', { by: 'reviewer' });
      await handle.executeUpdate('acept').catch(() => undefined);
      await asked(3);
      await handle.signal('abort');
    },
  },
  {
    name: 'cancelled',
    ends: 'Cancelled',
    spec: modelled('cancelled'),
    script: stuck,
    async meanwhile({ asked, handle }) {
      await asked(3);
      await handle.cancel();
    },
  },
  {
    name: 'queries',
    ends: 'max_iterations',
    spec: modelled('queries', { maxIterations: 3 }),
    script: [{ reply: bad }, { reply: bad, delayMs: 500 }, { reply: bad, delayMs: 500 }],
    async meanwhile({ asked, client, workflowId }) {
      await asked(2);
      await client.progress(workflowId);
      await asked(3);
      await client.history(workflowId);
    },
  },
];
