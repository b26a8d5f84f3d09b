import type { EnvironmentContext, JestEnvironment, JestEnvironmentConfig } from '@jest/environment';
import { LegacyFakeTimers, ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import '../support/share-bundles';
// What it asks for when a worker bundles is loaded by the line above.
import '../support/share-bundles-child.cjs';
import { remembered } from './remembered';
import './reuse.cjs';

interface Timer {
  id: number;
}

/**
 * Runs test files in the global scope of their process, one after the other, and gives each the scope as the first one found
 * it. Jest's own environment makes a new scope for each file. No package that was loaded for another file can be used there,
 * because its `Error` and its `Array` are not the ones of the new scope, and to load the packages anew was most of the
 * processor time of the tests. See runtime.cjs.
 */
export = class OneScope implements JestEnvironment<Timer> {
  readonly global = globalThis as unknown as JestEnvironment['global'];
  readonly moduleMocker = new ModuleMocker(globalThis);
  readonly fakeTimers: LegacyFakeTimers<Timer>;
  readonly fakeTimersModern: ModernFakeTimers;
  readonly #restore = remembered();

  constructor({ projectConfig: config }: JestEnvironmentConfig, _context: EnvironmentContext) {
    const { moduleMocker } = this;
    const global = globalThis;
    const timerConfig = { idToRef: (id: number) => ({ id }), refToId: (timer: Timer) => timer.id };
    this.fakeTimers = new LegacyFakeTimers({ config, global, moduleMocker, timerConfig });
    this.fakeTimersModern = new ModernFakeTimers({ config, global });
  }

  getVmContext = () => ({});
  exportConditions = () => ['node', 'node-addons'];
  setup = () => Promise.resolve();

  async teardown(): Promise<void> {
    this.fakeTimers.dispose();
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    await this.#restore();
  }
};
