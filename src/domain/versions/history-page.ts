import type { LoopState, ReflectionVersion } from '../state/loop-state';

export type { HistoryPage } from '../../contract/results';

/** Characters of a page at most: a query's answer must stay far below a gRPC message's limit of 4 MiB. */
const PAGE_CHARACTERS = 1024 * 1024;

/**
 * The versions that this run made, from an iteration on, as many as fit; at least one, so that paging always goes on. Those
 * of earlier runs of the chain are read from those runs, which have their outputs; one of them that this run judged again stands
 * in both.
 */
export function historyPage(
  { versions, carriedThrough, judgedAgain }: Pick<LoopState, 'versions' | 'carriedThrough' | 'judgedAgain'>,
  from = 1,
): { versions: ReflectionVersion[]; next?: number } {
  const page: ReflectionVersion[] = [];
  let characters = 0;
  for (const version of versions) {
    const isOurs = version.iteration > carriedThrough || version.iteration === judgedAgain;
    if (version.iteration < from || !isOurs) continue;
    characters += JSON.stringify(version).length;
    if (page.length > 0 && characters > PAGE_CHARACTERS) return { versions: page, next: version.iteration };
    page.push(version);
  }
  return { versions: page };
}
