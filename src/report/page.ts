import { createHash } from 'node:crypto';
import type { LoopReport, PlanReport, RunReport } from '../domain/page/run-report';
import { describePhase } from '../domain/page/progress';
import { scoreText } from '../domain/text/summary-text';
import { Html, html, type Part } from './html';
import { loopSections } from './loop-sections';
import { badge, dollars, duration, facts, time } from './parts';
import { planSections } from './plan-sections';
import { number } from './shown-text';
import { STYLE } from './style';

/** The source by which a Content-Security-Policy allows one style or script. */
export function sourceHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** Nothing but the page's own style: no script, picture, font, frame, form or request. */
const POLICY = `default-src 'none'; style-src ${sourceHash(STYLE)}; base-uri 'none'; form-action 'none'`;

// Its text is hashed, so nothing stands around it.
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);

function standing(report: RunReport): Html {
  if (report.failure) return badge(`failed: ${report.failure.type}`, 'bad');
  const { success, endedAt } = report;
  const why = report.kind === 'loop' && report.convergenceReason ? `: ${report.convergenceReason}` : '';
  if (success !== undefined)
    return badge(`${success ? '✓ succeeded' : '✗ did not succeed'}${why}`, success ? 'good' : 'bad');
  if (endedAt !== undefined) return badge(report.status.toLowerCase().replace('_', ' '), 'open');
  if (report.kind === 'plan') return badge(`under way: ${report.phase ?? ''}`, 'open');
  return badge(report.phase ? describePhase(report.phase, report.versions.length) : 'under way', 'open');
}

const elapsed = ({ startedAt, endedAt }: RunReport, madeAt: string): string =>
  duration(Date.parse(endedAt ?? madeAt) - Date.parse(startedAt));

function loopFacts({ versions, bestIteration }: LoopReport): [string, Part][] {
  const best = versions.find(({ iteration }) => iteration === bestIteration);
  return [
    ['versions', versions.length],
    ['best', best && `version ${best.iteration}, ${scoreText(best.evaluation.overallScore)}`],
  ];
}

function planFacts({ plans, tasks }: PlanReport): [string, Part][] {
  const done = tasks.filter(({ status }) => status === 'succeeded').length;
  return [
    ['plans', plans],
    ['tasks', `${done} of ${tasks.length} succeeded`],
  ];
}

function allFacts(report: RunReport, madeAt: string): Html {
  const { tokenUsage, runs } = report;
  return facts(
    [
      ...(report.kind === 'loop' ? loopFacts(report) : planFacts(report)),
      ['model calls', tokenUsage && number(tokenUsage.modelCalls)],
      ['tokens', tokenUsage && number(tokenUsage.totalTokens)],
      ['cost', tokenUsage && dollars(tokenUsage.usd)],
      ['started', time(report.startedAt)],
      ['ended', report.endedAt && time(report.endedAt)],
      ['took', elapsed(report, madeAt)],
      ['runs in the chain', runs > 1 && runs],
    ].map(([name, value]) => [name as string, value === false ? undefined : (value as Part)] as const),
  );
}

/** The page of a report: one file that needs nothing else. @param madeAt ISO 8601 */
export function reportPage(report: RunReport, madeAt: string): string {
  const title = (report.kind === 'loop' ? report.name : undefined) ?? report.workflowId;
  const about = report.kind === 'loop' ? report.task : report.goal;
  const waits = report.kind === 'loop' ? report.waitingFor : undefined;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${POLICY}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>${title} – report</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <header>
          <h1>${title}</h1>
          ${standing(report)} <code>${report.workflowId}</code>
          ${about !== undefined && html`<div class="task" tabindex="0" role="region" aria-label="Task">${about}</div>`}
        </header>
        <main>
          ${report.failure && html`<p class="notice fail">${report.failure.message}</p>`}
          ${waits && html`<p class="notice">Waits for ${waits.what}, until ${time(waits.until)}.</p>`}
          ${allFacts(report, madeAt)} ${report.kind === 'loop' ? loopSections(report) : planSections(report)}
        </main>
        <footer>
          ${report.type} · run ${report.runId} · ${report.status.toLowerCase()} · as of ${time(madeAt)} ·
          durable-reflection
        </footer>
      </body>
    </html> `;
  return page.text;
}
