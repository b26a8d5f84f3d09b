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

/** The counters that are not zero: after an activation these are few, and all of them with their maps are megabytes. */
function counted(data: CoverageOfFiles): CoverageOfFiles {
  const files = Object.entries(data).flatMap(([file, { hash, s, f, b }]): [string, CoverageOfFiles[string]][] => {
    const above = (counts: Record<string, number>) =>
      Object.fromEntries(Object.entries(counts).filter(([, n]) => n > 0));
    const taken = Object.fromEntries(Object.entries(b).filter(([, counts]) => counts.some((n) => n > 0)));
    const counters = { hash, s: above(s), f: above(f), b: taken };
    return Object.keys(counters.s).length > 0 ? [[file, counters]] : [];
  });
  return Object.fromEntries(files);
}

let told = false;

/** Hands out the counters after each activation, and starts again from zero. At first with what they count. */
export const interceptors = (): WorkflowInterceptors => ({
  internals: [
    {
      concludeActivation(input, next) {
        const data = globalThis.__coverage__;
        if (data) {
          coverage.add(JSON.parse(JSON.stringify(told ? counted(data) : data)) as CoverageOfFiles);
          told = true;
          reset(data);
        }
        return next(input);
      },
    },
  ],
});
