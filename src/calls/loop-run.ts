import type { Progress, ReflectionResult } from '../loop/contract/results';
import type { ReflectionSpecInput } from '../loop/contract/short-spec';
import { renderSummaryLine } from '../loop/page/run-page';
import { parseSpec } from '../loop/parse/spec';
import { expandSpec } from '../loop/spec/short-form';
import { requireValid, RunKind } from './run-kind';

export const loopRun = new RunKind<ReflectionSpecInput, ReflectionResult, Progress>({
  type: 'reflectionLoop',
  prefix: 'reflection',
  listedAs: 'loop',
  methods: { start: 'start', result: 'result', progress: 'progress' },
  parse: (given) => requireValid(parseSpec(given)).spec,
  expand: expandSpec,
  summary: renderSummaryLine,
});
