import { omitUndefined } from '../../lib/base/defined';
import { pageOf } from '../../lib/json/json-bytes';
import { currentIteration, type LoopState } from '../state/loop-state';
import type { HistoryPage } from '../contract/results';

export interface HistoryQuestion {
  from?: number;
  carried?: boolean;
  pending?: boolean;
}

/** The maximum size of a page in bytes: a query's answer must stay far below a gRPC message's limit of 4 MiB. */
const PAGE_BYTES = 1024 * 1024;

/** Lists at least one, so that paging goes on. Earlier runs have their own, unless `carried`; one judged again is in both. */
export function historyPage(
  state: Pick<LoopState, 'versions' | 'carriedThrough' | 'judgedAgain' | 'pending'>,
  { from = 1, carried = false, pending = false }: HistoryQuestion = {},
): HistoryPage {
  const { versions, carriedThrough, judgedAgain } = state;
  const own = versions.filter(({ iteration }) => carried || iteration > carriedThrough || iteration === judgedAgain);
  const { page, next } = pageOf(
    // A value that is not a number leaves out nothing.
    own.filter(({ iteration }) => !(iteration < from)),
    PAGE_BYTES,
  );
  return omitUndefined({
    versions: page,
    next: next?.iteration,
    pending:
      pending && state.pending ? { iteration: currentIteration(state), output: state.pending.output } : undefined,
  });
}
