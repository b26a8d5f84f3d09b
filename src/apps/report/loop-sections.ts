import type { LoopReport, ReportAction } from '../../kinds/report/contract';
import { fateOf } from '../../loop/state/command-log';
import type { ReflectionVersion } from '../../loop/state/loop-state';
import { scoreText } from '../../lib/text/summary-text';
import type { IssueStory } from '../../loop/contract/report';
import { type Html, html, type Part } from './html';
import { dollars, section, table, time, usageTable } from './parts';
import { callList, proofTable } from './call-list';
import { scoreChart } from './score-chart';
import { number, outputText, sideBySide, textBlock } from './shown-text';
import { Comparisons } from './word-diff';
import { renderCount } from '../../lib/text/counted';

const MARKS = { pass: '✓ pass', fail: '✗ fail', inconclusive: '? inconclusive' };

const describeOrigin = ({ origin, strategy, basedOn }: ReflectionVersion): string =>
  [origin, ...(strategy ? [strategy] : []), ...(basedOn ? [`from version ${basedOn}`] : [])].join(', ');

export function versionTable({ versions, bestIteration, finalIteration, iterations }: LoopReport): Html {
  const rows = versions.map((version): Part[] => {
    const { iteration, evaluation, improvementsApplied, tokenUsage, timestamp } = version;
    const change = iterations.find((each) => each.iteration === iteration)?.scoreChange ?? null;
    const notes = [
      ...(iteration === bestIteration ? ['best'] : []),
      ...(iteration === finalIteration ? ['returned'] : []),
    ];
    return [
      html`${iteration}${notes.length > 0 && html` <span class="note">${notes.join(', ')}</span>`}`,
      describeOrigin(version),
      html`<span class="${evaluation.outcome}">${MARKS[evaluation.outcome]}</span>`,
      scoreText(evaluation.overallScore),
      change === null ? '–' : `${change < 0 ? '−' : '+'}${Math.abs(change).toFixed(2)}`,
      evaluation.issues.length,
      improvementsApplied.length,
      number(tokenUsage.totalTokens),
      dollars(tokenUsage.usd),
      time(timestamp),
    ];
  });
  const head = ['version', 'made by', 'outcome', 'score', 'change', 'issues', 'fixed', 'tokens', 'cost', 'judged'];
  return table('Versions', head, rows, [3, 4, 5, 6, 7, 8]);
}

function describeMissing({ omittedBytes }: ReflectionVersion): string | undefined {
  if (omittedBytes === undefined) return undefined;
  return `Its output of ${renderCount(omittedBytes, 'byte', number(omittedBytes))} was too large for the result, and no worker answered for the run.`;
}

function renderJudgement({ evaluation, reflections = [] }: ReflectionVersion): Part {
  const { issues, suggestions, reason } = evaluation;
  const where = (path: string | undefined) => (path ? html` <code>${path}</code>` : undefined);
  return html`${reason && html`<p>${reason}</p>`}
  ${
    issues.length > 0 &&
    html`<ul>
      ${issues.map(
        ({ message, path, severity, suggestion, evaluator }) =>
          html`<li>
            ${message}${where(path)}
            <span class="note">${[severity, evaluator].filter(Boolean).join(', ')}</span>
            ${suggestion && html`<br /><span class="note">Suggestion: ${suggestion}</span>`}
          </li>`,
      )}
    </ul>`
  }
  ${suggestions.length > 0 && html`<p>Suggestions: ${suggestions.join(' · ')}</p>`}
  ${reflections.length > 0 && html`<p class="note">Judged ${renderCount(reflections.length, 'more time')} on the way.</p>`}`;
}

export function versionDetails(
  version: ReflectionVersion,
  before: ReflectionVersion | undefined,
  isOpen: boolean,
  comparisons: Comparisons,
): Html {
  const { iteration, evaluation } = version;
  const gap = describeMissing(version) ?? (before && describeMissing(before));
  const text = outputText(version.output);
  const isSame = before !== undefined && outputText(before.output) === text;
  const content = () => {
    if (gap !== undefined) return html`<p class="note">${gap}</p>`;
    if (isSame) return html`<p class="note">The text is that of version ${before.iteration}.</p>`;
    if (!before) return textBlock(text, `Version ${iteration}`);
    const title = ({ iteration: of }: ReflectionVersion) => `Version ${of}`;
    return sideBySide(
      { title: title(before), text: outputText(before.output) },
      { title: title(version), text },
      comparisons,
    );
  };
  const score = `${MARKS[evaluation.outcome]}, ${scoreText(evaluation.overallScore)}`;
  return html`<details id="version-${iteration}" ${isOpen && html` open`}>
    <summary id="version-${iteration}-summary">
      Version ${iteration}${before && html` <span class="note">compared with version ${before.iteration}</span>`}
      <span class="${evaluation.outcome}">${score}</span>
    </summary>
    ${content()} ${renderJudgement(version)} ${proofTable(evaluation)} ${callList(version)}
    ${callList(evaluation, 'Calls of its judges')}
  </details>`;
}

const FATES: [string, IssueStory['fate'][]][] = [
  ['Left', ['unresolved', 'returned']],
  ['Fixed', ['resolved']],
  ['Only in versions that were given up', ['left_behind']],
];

export function issueSections({ issues, issuesOmitted }: LoopReport): Html | undefined {
  if (issues.length === 0) return undefined;
  const groups = FATES.map(([title, fates]) => {
    const of = issues.filter(({ fate }) => fates.includes(fate));
    const items = of.map(({ message, path, firstSeen, lastSeen, fate }) => {
      const seen = firstSeen === lastSeen ? `in version ${firstSeen}` : `in versions ${firstSeen} to ${lastSeen}`;
      const back = fate === 'returned' ? ', came back after it was gone' : '';
      return html`<li>${message}${path && html` <code>${path}</code>`} <span class="note">${seen}${back}</span></li>`;
    });
    return (
      of.length > 0 &&
      html`<h3>${title} (${of.length})</h3>
        <ul>
          ${items}
        </ul>`
    );
  });
  return html`${groups}${issuesOmitted > 0 && html`<p class="note">${number(issuesOmitted)} more are not listed.</p>`}`;
}

export function actionTable(actions: readonly ReportAction[]): Html | undefined {
  if (actions.length === 0) return undefined;
  const rows = actions.map((action): Part[] => [
    time(action.at),
    action.by ?? '–',
    html`${action.name}${action.iteration !== undefined && html` <span class="note">version ${action.iteration}</span>`}`,
    action.words ?? '–',
    fateOf(action),
  ]);
  return table('What people did', ['when', 'who', 'what', 'in their words', 'what became of it'], rows);
}

export function baseOf(
  versions: readonly ReflectionVersion[],
  version: ReflectionVersion,
): ReflectionVersion | undefined {
  const base = version.basedOn ?? version.iteration - 1;
  return versions.find(({ iteration }) => iteration === base);
}

export function loopSections(report: LoopReport): Part {
  const { versions, bestIteration, finalIteration } = report;
  const shown = versions.find(({ iteration }) => iteration === (finalIteration ?? bestIteration)) ?? versions.at(-1);
  const name = finalIteration === null ? 'Best version so far' : 'Returned version';
  const comparisons = new Comparisons();
  const details = versions
    .toReversed()
    .map((version, index) => versionDetails(version, baseOf(versions, version), index === 0, comparisons));
  const title = shown?.iteration === bestIteration || finalIteration !== null ? name : 'Latest version';
  return [
    section(
      'scores',
      'Scores',
      versions.length > 0 && [
        html`<div class="wide" tabindex="0" role="region" aria-label="Chart">
          ${scoreChart(versions, bestIteration)}
        </div>`,
        versionTable(report),
      ],
    ),
    section('issues', 'Issues', issueSections(report)),
    section('versions', 'Versions side by side, the latest first', details),
    shown &&
      section(
        'output',
        `${title}: ${shown.iteration}`,
        describeMissing(shown) ?? textBlock(outputText(shown.output), `Version ${shown.iteration}`),
      ),
    section('people', 'What people did', actionTable(report.actions)),
    section('usage', 'Tokens and cost', usageTable(report)),
  ];
}
