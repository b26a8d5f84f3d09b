import type { Progress, ReflectionResult } from '../../loop/contract/results';
import type { ReflectionSpec } from '../../loop/contract/spec';
import { renderSummaryLine } from '../../loop/page/run-page';
import { parseSpec } from '../../loop/parse/spec';
import { requireValid, RunKind } from './run-kind';

/** Runs of `reflectionLoop`. */
export const loopRun = new RunKind<ReflectionSpec, ReflectionResult, Progress>({
  type: 'reflectionLoop',
  prefix: 'reflection',
  listedAs: 'loop',
  methods: { start: 'start', result: 'result', progress: 'progress' },
  parse: (given) => requireValid(parseSpec(given)).spec,
  summary: renderSummaryLine,
});
