import { ROOT } from './access';
import type { RunListEntry } from '../../../client';
import { scoreText } from '../../../lib/text/summary-text';
import { type Html, html } from '../../report/html';
import { badge, section, time } from '../../report/parts';
import type { PageParts } from './layout';
import type { ListedRuns } from './runs';

export const runPath = (workflowId: string): string => `${ROOT}/runs/${encodeURIComponent(workflowId)}`;

export const promptsPath = (workflowId: string): string => `${ROOT}/prompts/${encodeURIComponent(workflowId)}`;

const WAITS = {
  question: 'waits for an answer',
  approval: 'waits for an approval',
  review: 'waits for a review',
} as const;

function entry({ workflowId, kind, iteration, bestScore, reason, startedAt, waitingFor }: RunListEntry): Html {
  const isAsking = waitingFor === 'question' || waitingFor === 'approval';
  const facts = [
    ...(kind === 'loop' ? [] : [kind]),
    ...(iteration === undefined || (isAsking && iteration === 0) ? [] : [`version ${iteration}`]),
    ...(bestScore === undefined ? [] : [`best ${scoreText(bestScore)}`]),
    ...(reason === undefined ? [] : [reason]),
  ];
  return html`<li>
    <a id="run-${workflowId}" href="${runPath(workflowId)}">${workflowId}</a>
    ${waitingFor && badge(WAITS[waitingFor], isAsking ? 'open' : 'good')}<br />
    <span class="note">${[...facts, ''].join(' · ')}since ${time(startedAt.toISOString())}</span>
  </li>`;
}

function list(runs: readonly RunListEntry[], none: string): Html {
  if (runs.length === 0) return html`<p class="note">${none}</p>`;
  return html`<ul class="runs">
    ${runs.map(entry)}
  </ul>`;
}

export function listPage({ waiting, underWay, isPartial }: ListedRuns): PageParts {
  const count = `${waiting.length} ${waiting.length === 1 ? 'run waits' : 'runs wait'} for a person`;
  return {
    title: isPartial ? 'Runs' : count,
    standing: count,
    main: [
      isPartial &&
        html`<p class="notice">
          This namespace does not know which runs wait: register its search attributes with
          <code>npx reflect doctor --fix</code>.
        </p>`,
      section('waiting', 'Waiting for a person', list(waiting, 'None.')),
      section('running', 'Under way', list(underWay, 'None.')),
      section(
        'other',
        'Another run',
        html`<form method="post" action="${ROOT}/open">
          <label
            ><span>Its id, such as that of a workflow of your own that runs a loop</span>
            <input id="open-id" name="id" maxlength="1000" autocomplete="off" required /></label
          ><button id="open">Open it</button>
        </form>`,
      ),
    ],
  };
}
