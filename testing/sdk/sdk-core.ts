/** The tests of what needs the SDK: workflows, workers, clients, the plugin, storage and replays. `npm run test:sdk` runs them. */
export const SDK_CORE: readonly string[] = [
  'test/replay/replay.test.ts',
  'test/workflows/loop/reflection-loop.test.ts',
  'test/workflows/review.test.ts',
  'test/workflows/answers-after-effect.test.ts',
  'test/workflows/kept-pages.test.ts',
  'test/workflows/action-attempts.test.ts',
  'test/workflows/pipeline.test.ts',
  'test/workflows/agents/agent-reflection.test.ts',
  'test/workflows/signals/unknown-messages.test.ts',
  'test/workflows/any-client.test.ts',
  'test/plugin/plugin.test.ts',
  'test/plugin/bundles.test.ts',
  'test/client/runs-of-one-id.test.ts',
  'test/client/start-with-update.test.ts',
  'test/lib/storage/end-to-end.test.ts',
  'test/apps/testing/environment.test.ts',
];
