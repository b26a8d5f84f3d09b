import { proxySinks, type WorkflowInterceptors } from '@temporalio/workflow';
import type { CoverageOfFiles } from './setup';

const { coverage } = proxySinks<{ coverage: { add(data: CoverageOfFiles): void } }>();

function reset(data: CoverageOfFiles): void {
  for (const { s, f, b } of Object.values(data)) {
    for (const id of Object.keys(s)) s[id] = 0;
    for (const id of Object.keys(f)) f[id] = 0;
    for (const counts of Object.values(b)) counts.fill(0);
  }
}

/** Hands out the counters after each activation, and starts again from zero. */
export const interceptors = (): WorkflowInterceptors => ({
  internals: [
    {
      concludeActivation(input, next) {
        const data = globalThis.__coverage__;
        if (data) {
          coverage.add(JSON.parse(JSON.stringify(data)) as CoverageOfFiles);
          reset(data);
        }
        return next(input);
      },
    },
  ],
});
