import { describePhase } from '../../loop/page/progress';
import type { LoopReport, RunReport } from '../../kinds/report/contract';
import { scoreText } from '../../lib/text/summary-text';
import { renderPercent } from '../../kinds/batch/page/batch-page';
import { batchSections } from './batch-sections';
import type { Html, Part } from './html';
import { loopSections } from './loop-sections';
import { badge } from './parts';
import { planSections } from './plan-sections';
import { number } from './shown-text';

/** The parts of a report's page that depend on the kind of run. */
interface ReportParts {
  title?: string | undefined;
  /** The task or goal. */
  about?: string | undefined;
  standing: Html;
  waits?: LoopReport['waitingFor'];
  /** The rows at the beginning of the page, before cost and times. */
  facts: [string, Part][];
  /** Everything below; made when it is needed, since large versions take long to compare. */
  sections: () => Part;
}

/** Renders how a run ended or failed; undefined while it is under way. */
function endOf({ failure, endedAt, status }: RunReport, success: boolean | undefined, why = ''): Html | undefined {
  if (failure) return badge(`failed: ${failure.type}`, 'bad');
  if (success !== undefined)
    return badge(`${success ? '✓ succeeded' : '✗ did not succeed'}${why}`, success ? 'good' : 'bad');
  return endedAt === undefined ? undefined : badge(status.toLowerCase().replace('_', ' '), 'open');
}

type Shown = { [Kind in RunReport['kind']]: (report: Extract<RunReport, { kind: Kind }>) => ReportParts };

const SHOWN: Shown = {
  loop(report) {
    const { name, task, success, convergenceReason, phase, versions, bestIteration, waitingFor } = report;
    const best = versions.find(({ iteration }) => iteration === bestIteration);
    const why = convergenceReason && `: ${convergenceReason}`;
    return {
      title: name,
      about: task,
      standing:
        endOf(report, success, why) ?? badge(phase ? describePhase(phase, versions.length) : 'under way', 'open'),
      waits: waitingFor,
      facts: [
        ['versions', versions.length],
        ['best', best && `version ${best.iteration}, ${scoreText(best.evaluation.overallScore)}`],
      ],
      sections: () => loopSections(report),
    };
  },
  plan(report) {
    const { goal, success, phase, plans, tasks } = report;
    const done = tasks.filter(({ status }) => status === 'succeeded').length;
    return {
      about: goal,
      standing: endOf(report, success) ?? badge(`under way: ${phase ?? ''}`, 'open'),
      facts: [
        ['plans', plans],
        ['tasks', `${done} of ${tasks.length} succeeded`],
      ],
      sections: () => planSections(report),
    };
  },
  batch(report) {
    const {
      name,
      task,
      phase,
      items,
      passed,
      failed,
      unjudged = 0,
      warned = 0,
      notStarted,
      running,
      passRate,
      endedAt,
      budgetSpent,
    } = report;
    const isEnded = endedAt !== undefined && report.status === 'COMPLETED';
    const rate = `${renderPercent(passRate)} of those that ended`;
    return {
      title: name,
      about: task,
      standing:
        (isEnded && !report.failure
          ? badge(`${number(passed)} of ${number(items)} passed`, passed === items ? 'good' : 'open')
          : endOf(report, undefined)) ?? badge(phase ?? 'under way', 'open'),
      facts: [
        ['items', number(items)],
        ['passed', `${number(passed)}, ${rate}`],
        ['failed', number(failed - unjudged)],
        ['could not be judged', unjudged > 0 && number(unjudged)],
        ['with warnings', warned > 0 && number(warned)],
        ['running', running === undefined ? undefined : number(running)],
        ['not started', notStarted > 0 && `${number(notStarted)}${budgetSpent ? ', the budget is spent' : ''}`],
      ],
      sections: () => batchSections(report),
    };
  },
};

export function reportParts<Kind extends RunReport['kind']>(report: Extract<RunReport, { kind: Kind }>): ReportParts {
  const shown = SHOWN[report.kind] as (report: RunReport) => ReportParts;
  return shown(report);
}
