import type { CallOptions } from '../../../calls/call-options';
import { ask } from '../../../calls/questions';
import type { RunTarget } from '../../../calls/run-target';
import { RunsWithProgress } from '../../../calls/runs-of-kind';
import type { PipelineSpec } from '../contract/pipeline';
import type { PipelineProgress, PipelineResult } from '../contract/pipeline-results';

/** Pipelines: nodes one after the other, over one state. */
export class PipelineRuns extends RunsWithProgress<PipelineSpec, PipelineResult, PipelineProgress> {
  /** Reads where the nodes of a pipeline stand, and its state unless the options say `{ state: false }`. Needs a worker. */
  override async progress(
    run: RunTarget,
    { state, ...options }: CallOptions & { state?: boolean } = {},
  ): Promise<PipelineProgress> {
    return ask(this.place, { method: 'pipelines.progress', query: 'progress', run }, options, { state });
  }
}
