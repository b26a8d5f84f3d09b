import { Context } from '@temporalio/activity';
import { omitUndefined } from '../lib/base/defined';
import { boundedVerdict } from '../loop/evaluation/bounded';
import { ApplicationFailure } from '@temporalio/common';
import { runHook } from '../actions/hook';
import { readCorrection } from '../actions/revision/revise';
import { runTool } from '../actions/tool';
import { schemaCheck } from '../evaluators/calls/call-checks';
import { renderTask } from '../evaluators/rendered-task';
import { identifyIssue } from '../loop/evaluation/issue-identity';
import { inconclusiveVerdict, type Judgement, type Verdict } from '../loop/state/evaluation';
import type { Json } from '../lib/json/json';
import { readOutput } from '../loop/evaluation/output-reading';
import { plainActivityName } from '../lib/names/activity-names';
import { isJudge, runsLocally } from '../loop/spec/evaluator-traits';
import { isModelCall } from '../loop/spec/steps';
import type { StepOutcome } from '../loop/step-state/step-call';
import type { Evaluator } from '../loop/contract/evaluators';
import { renderValueAsync } from '../lib/templates';
import { runWithinTimeBudget, TimeBudget, TimeBudgetExceeded } from '../lib/threads/time-budget';
import { checkAnywhere } from './prepare/checks';
import { describeOutOfTime, evaluationTime } from './execution/check-times';
import type { ActivityDependencies } from './dependencies';
import { permanentFailure } from './failures';
import { messageOf } from '../lib/base/message-of';
import { redact } from '../lib/redact';
import { memoryActivities } from './memory/memory';
import { prepareSpec } from './prepare/prepare';
import { withFunctions } from './prepare/named-actions';
import { assertRunnable } from './pipeline/prepare-pipeline';
import { kindActivities } from './kinds';
import { makeOutput, makeVerdict, repairVerdict } from './made';
import { sendToReceiver } from './notify';
import type { EvaluateInput, HookInput, ReflectionActivities, RepairInput, StepInput, ToolInput } from './protocol';
import { assertSmallEnough } from './execution/output-size';
import { answerTool, measureCall } from './execution/tool-answer';
import { watchForStalls } from './execution/stalls';
import { textPlace } from './execution/streamed-text';
import { type Guarded, runGuarded } from './execution/run-guarded';
import { workflowId } from './execution/current-run';

async function timeJudgement(name: string, evaluator: Evaluator, judge: () => Promise<Judgement>): Promise<Verdict> {
  const started = performance.now();
  const judgement = await judge();
  const { type } = evaluator;
  const issues = judgement.issues.map((issue) => identifyIssue({ ...issue, evaluator: name }, { name, type }));
  const ms = Math.round(performance.now() - started);
  const judgedAt = new Date().toISOString();
  const verdict = boundedVerdict({ ...judgement, issues, name, type, ms, judgedAt });
  const { unreadable } = verdict;
  if (!unreadable) return verdict;
  // The reply is shown to users, so secrets are removed.
  return { ...verdict, unreadable: { ...unreadable, reply: redact(unreadable.reply, { length: Infinity }) } };
}

/** An execution makes at most one model call. `LAYERS` in `execution/run-guarded.ts` are around each. */
export function createActivities(dependencies: ActivityDependencies): ReflectionActivities {
  const { models } = dependencies;
  watchForStalls();
  const { actions, external, sandbox, schemaFolder, attachments } = dependencies;
  const offered = { actions, external, sandbox, schemaFolder, attachments };

  async function runGeneratorOrCorrector(input: StepInput): Promise<StepOutcome> {
    const { step, revision, stream } = input;
    const isRevision = plainActivityName(Context.current().info.activityType) === 'revise';
    const shows = stream && textPlace(input, isRevision);
    const call = { ...input, shows };
    return runGuarded(isModelCall(step) ? 'Model' : 'StepFailed', dependencies, call, async (given) => {
      const startedAt = Date.now();
      const outcome = await makeOutput(input, workflowId(), { ...given, ...offered });
      const read = isRevision && !revision ? await readCorrection(step, input, outcome) : outcome;
      const small = assertSmallEnough(read, dependencies.maximumOutputBytes);
      return isModelCall(step) ? small : { ...small, measured: measureCall(startedAt) };
    });
  }

  async function judgeOne(index: number, input: EvaluateInput, given: Guarded): Promise<Verdict> {
    const { evaluators, names, model } = input;
    const evaluator = evaluators[index]!;
    if (isJudge(evaluator)) dependencies.noteJudge?.(('model' in evaluator ? evaluator.model : undefined) ?? model);
    return timeJudgement(names[index]!, evaluator, () =>
      makeVerdict(input, index, workflowId(), { ...given, ...offered }),
    );
  }

  return {
    hasSearchAttributes: () => dependencies.searchAttributes(),
    prepare: ({ spec, known, functions, moved }) =>
      checkAnywhere(() => prepareSpec(spec, withFunctions(dependencies, functions), { known, moved })),
    async renderParameters({ value, state, task: template, material, node, known }) {
      const render = async (): ReturnType<ReflectionActivities['renderParameters']> => {
        const { task } = await renderTask(template, state);
        const rendered = await renderValueAsync(value, omitUndefined({ state, task }), material);
        if (node) await assertRunnable(node, rendered.value as Record<string, Json>, dependencies, known);
        return rendered;
      };
      try {
        return await checkAnywhere(render);
      } catch (error) {
        if (error instanceof ApplicationFailure) throw error;
        // A local activity that fails is retried, and this would fail each time.
        throw permanentFailure('StepFailed', messageOf(error));
      }
    },
    generate: runGeneratorOrCorrector,
    revise: runGeneratorOrCorrector,

    async evaluate(input) {
      const local = input.evaluators.every(runsLocally);
      // Local evaluators need no heartbeats: they wait for nothing.
      if (local) {
        const budget = new TimeBudget(evaluationTime(input), Context.current().cancellationSignal);
        return runWithinTimeBudget(budget, async () => evaluateAll(input));
      }
      const kind = isJudge(input.evaluators[0]!) ? 'Model' : 'StepFailed';
      return runGuarded(kind, dependencies, input, async (given) => [await judgeOne(0, input, given)]);
    },

    ...memoryActivities(dependencies),
    ...kindActivities(dependencies),
    notify: (input) => sendToReceiver(input, dependencies.notify),

    async tool({ guarded, approved, checked, ...input }: ToolInput) {
      const action = checked ?? guarded ?? input.action;
      const flags = {
        isGuarded: guarded !== undefined,
        isApproved: approved === true,
        isChecked: checked !== undefined,
      };
      const call = { ...input, ...flags, action, workflowId: workflowId() };
      const check = schemaCheck(schemaFolder, action);
      return runGuarded('StepFailed', dependencies, input, (given) =>
        answerTool(input, check, () => runTool(call, { ...given, actions })),
      );
    },

    async hook({ event, state, ...input }: HookInput) {
      return runGuarded('StepFailed', dependencies, input, (given) => {
        const whole = { ...state, reflection_output: event['output'] ?? null };
        const place = { iteration: Number(event['iteration']), workflowId: workflowId() };
        return runHook({ ...input, ...place, event, state: whole }, { ...given, ...offered });
      });
    },

    async repair(input: RepairInput) {
      const { evaluator, name, chain } = input;
      return runGuarded('Model', dependencies, omitUndefined({ chain }), (given) =>
        timeJudgement(name, evaluator, () => repairVerdict(input, workflowId(), { ...given, ...offered })),
      );
    },
  };

  async function evaluateAll(input: EvaluateInput): Promise<Verdict[]> {
    const verdicts: Verdict[] = [];
    let { output } = input;
    let late: string | undefined;
    const given = { models, signal: Context.current().cancellationSignal };
    for (const index of input.evaluators.keys()) {
      const verdict = await judgeOne(index, { ...input, output }, given).catch((error: unknown) => {
        if (given.signal.aborted) throw error;
        // Rethrown, the error would be retried forever, and the same input would fail in the same way.
        const { type } = input.evaluators[index]!;
        const name = input.names[index]!;
        if (!(error instanceof TimeBudgetExceeded)) {
          return { ...inconclusiveVerdict({ name, type }, messageOf(error)), broken: true as const };
        }
        late ??= name;
        return inconclusiveVerdict({ name, type }, describeOutOfTime(error, name, late));
      });
      // Later evaluators see the value that an earlier one read out of the output.
      if (verdict.reading) output = readOutput(output, verdict.reading);
      verdicts.push(verdict);
    }
    return verdicts;
  }
}
