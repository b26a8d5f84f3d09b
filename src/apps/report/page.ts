import { createHash } from 'node:crypto';
import type { RunReport } from '../../kinds/report/contract';
import { Html, html, type Part } from './html';
import { dollars, duration, facts, time } from './parts';
import { reportParts } from './report-parts';
import { number } from './shown-text';
import { STYLE } from './style';

export function sourceHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** Nothing but the page's own style: no script, picture, font, frame, form or request. */
const POLICY = `default-src 'none'; style-src ${sourceHash(STYLE)}; base-uri 'none'; form-action 'none'`;

// Its text is hashed, so nothing is around it.
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);

const measureElapsed = ({ startedAt, endedAt }: RunReport, madeAt: string): string =>
  duration(Date.parse(endedAt ?? madeAt) - Date.parse(startedAt));

function allFacts(report: RunReport, own: readonly [string, Part][], madeAt: string): Html {
  const { tokenUsage, runs } = report;
  return facts(
    [
      ...own,
      ['model calls', tokenUsage && number(tokenUsage.modelCalls)],
      ['tokens', tokenUsage && number(tokenUsage.totalTokens)],
      ['cost', tokenUsage && dollars(tokenUsage.usd)],
      ['started', time(report.startedAt)],
      ['ended', report.endedAt && time(report.endedAt)],
      ['took', measureElapsed(report, madeAt)],
      ['runs in the chain', runs > 1 && runs],
    ].map(([name, value]) => [name as string, value === false ? undefined : (value as Part)] as const),
  );
}

export function documentOf({
  title,
  head,
  main,
  footer,
}: {
  title: string;
  head: Part;
  main: Part;
  footer: Part;
}): string {
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
          ${head}
        </header>
        <main>${main}</main>
        <footer>${footer} · durable-reflection</footer>
      </body>
    </html> `;
  return page.text;
}

export function reportPage(report: RunReport, madeAt: string, more?: Part): string {
  const { title = report.workflowId, about, standing, waits, facts: own, sections } = reportParts(report);
  return documentOf({
    title,
    head: html`${standing}
      <code>${report.workflowId}</code>
      ${about !== undefined && html`<div class="task" tabindex="0" role="region" aria-label="Task">${about}</div>`}`,
    main: html`${report.failure && html`<p class="notice fail">${report.failure.message}</p>`}
    ${waits && html`<p class="notice">Waits for ${waits.what}, until ${time(waits.until)}.</p>`}
    ${allFacts(report, own, madeAt)} ${sections()} ${more}`,
    footer: html`${report.type} · run ${report.runId} · ${report.status.toLowerCase()} · as of ${time(madeAt)}`,
  });
}
