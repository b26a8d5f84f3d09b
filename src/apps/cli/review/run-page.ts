import type { ReflectionVersion } from '../../../loop/state/loop-state';
import { describePhase } from '../../../loop/page/progress';
import type { LoopReport } from '../../../kinds/report/contract';
import type { ModelCall } from '../../../lib/contract/model-calls';
import { scoreText } from '../../../lib/text/summary-text';
import { type Html, html, type Part } from '../../report/html';
import { actionTable, baseOf, issueSections, versionDetails, versionTable } from '../../report/loop-sections';
import { badge, dollars, facts, section, time, usageTable } from '../../report/parts';
import { promptSections } from '../../report/prompt-sections';
import { reportParts } from '../../report/report-parts';
import { scoreChart } from '../../report/score-chart';
import { number, outputText, textBlock } from '../../report/shown-text';
import { Comparisons } from '../../report/word-diff';
import { versionUnderReview } from '../views/waiting-view';
import { commandForms } from './command-forms';
import type { Typed } from './form-parts';
import type { PageParts } from './layout';
import { promptsPath, runPath } from './list-page';
import type { SeenRun } from './runs';
import { renderCount } from '../../../lib/text/counted';

const MOST_EARLIER = 9;

const newlines = (lines: readonly string[]): string => lines.join('\n');

function describeState({ progress, isRunning }: SeenRun): string {
  if (!isRunning) return 'ended';
  return progress
    ? describePhase(
        progress.phase,
        versionUnderReview(progress.waitingFor) ?? progress.iteration,
        progress.waitingFor?.waits !== undefined,
      )
    : 'under way';
}

function whereElse({ workflowId, link }: SeenRun): Html {
  const shown = html`<code>npx reflect show ${workflowId}</code>`;
  return link === undefined
    ? html`<p class="note">
        In the Temporal Web UI, look for this id. With its address in TEMPORAL_UI_URL, a link stands here. Or type
        ${shown}.
      </p>`
    : html`<p class="note">
        The same run in the Temporal Web UI: <a href="${link}" rel="noreferrer">${link}</a> (its page is the tab User
        Metadata). Or type ${shown}.
      </p>`;
}

function standingFacts({ versions, tokenUsage, bestIteration, startedAt }: LoopReport, run: SeenRun): Html {
  const best = versions.find(({ iteration }) => iteration === bestIteration);
  const most = run.progress?.maxIterations;
  // A person's own versions do not count.
  const limit = most ? ` (the loop makes at most ${number(most)})` : '';
  return facts([
    ['versions', `${versions.length}${limit}`],
    ['best', best && `version ${best.iteration}, ${scoreText(best.evaluation.overallScore)}`],
    ['tokens', tokenUsage && number(tokenUsage.totalTokens)],
    ['cost', tokenUsage && dollars(tokenUsage.usd)],
    ['started', time(startedAt)],
  ]);
}

function latest(versions: readonly ReflectionVersion[], version: ReflectionVersion, comparisons: Comparisons): Part {
  const before = baseOf(versions, version);
  return [
    versionDetails(version, before, true, comparisons),
    before &&
      version.omittedBytes === undefined &&
      html`<details id="whole">
        <summary id="whole-summary">All of version ${version.iteration}</summary>
        ${textBlock(outputText(version.output), `Version ${version.iteration}`)}
      </details>`,
  ];
}

function earlier(
  all: readonly ReflectionVersion[],
  without: ReflectionVersion | undefined,
  workflowId: string,
  comparisons: Comparisons,
): Part {
  const others = all.filter((version) => version !== without);
  const shown = others.slice(-MOST_EARLIER);
  const left = others.length - shown.length;
  return [
    shown.toReversed().map((version) => versionDetails(version, baseOf(all, version), false, comparisons)),
    left > 0 &&
      html`<p class="note">
        ${renderCount(left, 'earlier one', number(left))}:
        <code>npx reflect report ${workflowId} --html report.html</code>
      </p>`,
  ];
}

function loopParts(report: LoopReport, run: SeenRun, typed: Typed | undefined): Part {
  const { versions, bestIteration } = report;
  const { progress } = run;
  const version =
    versions.findLast(({ iteration }) => iteration === versionUnderReview(progress?.waitingFor)) ?? versions.at(-1);
  const isLatest = version === versions.at(-1);
  const forms = run.isRunning && progress ? commandForms({ ...run, progress, version, typed }) : undefined;
  const deadline = progress?.waitingFor;
  // What is asked is not about the latest version, so it comes first.
  const isAsked = deadline?.waits !== undefined;
  const decision = section('decide', isAsked ? 'Your answer' : 'Your decision', forms);
  const comparisons = new Comparisons();
  return [
    report.failure && html`<p class="notice fail">${report.failure.message}</p>`,
    deadline &&
      html`<p class="notice">
        It waits for ${isAsked ? 'your answer' : deadline.what}, until ${time(deadline.until)}.
      </p>`,
    (deadline?.needs ?? []).map(({ sentence }) => html`<p class="notice">${sentence}</p>`),
    standingFacts(report, run),
    isAsked && decision,
    version &&
      section(
        'latest',
        isLatest ? 'The latest version' : 'The version under review',
        latest(versions, version, comparisons),
      ),
    !isAsked && decision,
    section('issues', 'Issues', issueSections(report)),
    versions.length > 1 &&
      section('scores', 'Scores', [
        html`<div class="wide" tabindex="0" role="region" aria-label="Chart">
          ${scoreChart(versions, bestIteration)}
        </div>`,
        versionTable(report),
      ]),
    versions.length > 1 &&
      section(
        'versions',
        isLatest ? 'Earlier versions' : 'Other versions',
        earlier(versions, version, run.workflowId, comparisons),
      ),
    section('people', 'What people did', actionTable(report.actions)),
    section('usage', 'Tokens and cost', [
      usageTable(report),
      run.showsPrompts &&
        html`<p class="note">
          <a href="${promptsPath(run.workflowId)}">Prompts and replies of the model calls</a>
        </p>`,
    ]),
  ];
}

function content(run: SeenRun, typed: Typed | undefined): Part {
  const { report, trouble, kept } = run;
  if (trouble !== undefined)
    return html`<p class="notice">${trouble}</p>
      ${
        kept &&
        section('kept', 'What it kept when it last waited or went on', html`<pre class="text">${newlines(kept)}</pre>`)
      }`;
  if (report?.kind === 'loop') return loopParts(report, run, typed);
  return (
    report && [
      html`<p class="notice">A ${report.kind} takes no commands. Its loops are runs of their own.</p>`,
      reportParts(report).sections(),
    ]
  );
}

export function promptsPage(workflowId: string, calls: readonly ModelCall[]): PageParts {
  return {
    title: 'Prompts and replies',
    standing: 'prompts and replies',
    head: html`<a href="${runPath(workflowId)}"><code>${workflowId}</code></a>`,
    main: promptSections({ workflowId, calls }),
  };
}

export function runPage(run: SeenRun, notice?: Html, typed?: Typed): PageParts {
  const { workflowId, report, progress, isRunning } = run;
  const { title = workflowId, about, standing: end } = report ? reportParts(report) : {};
  const standing = describeState(run);
  return {
    title,
    standing,
    ...(notice && { notice }),
    head: html`${(isRunning && progress ? undefined : end) ?? badge(standing, 'open')}
      <code>${workflowId}</code>
      ${about !== undefined && html`<div class="task" tabindex="0" role="region" aria-label="Task">${about}</div>`}`,
    main: [content(run, typed), whereElse(run)],
  };
}
