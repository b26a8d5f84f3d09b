import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { StepLanguage } from '../../../src/lib/sandbox/languages';
import type { Answer } from '../../../src/lib/sandbox/process/frame';
import { Interpreter } from '../../../src/lib/sandbox/process/interpreter';
import { makeWorkerFolder, removeWorkerFolder } from '../../../src/lib/sandbox/jail-folder';
import { type LaunchSettings, launchOf } from '../../../src/lib/sandbox/process/launch';
import { launchSettings } from '../../../src/lib/sandbox/level';
import { DEFAULT_LIMITS } from '../../../src/lib/sandbox/limits';
import { RUNTIME } from '../../../src/lib/sandbox/packages';
import { makeSnapshot } from '../../../src/lib/sandbox/process/snapshot';
import type { SandboxLevel, SandboxLimits } from '../../../src/lib/sandbox/types';
import { SNAPSHOTS } from './snapshots';

/** Runs a text of JavaScript in the Node process around the interpreter, as code that got out of it would. */
const HOST = `
const { createRequire } = require('node:module');
const host = (code) => {
  const answer = new Function('require', code)(createRequire(__filename));
  return typeof answer === 'string' ? answer : JSON.stringify(answer) ?? 'nothing';
};
`;

/** How each language is given \`host\`: what to replace in its file, by what. */
const ESCAPES: Record<StepLanguage, [find: string, replace: string]> = {
  javascript: [
    'definePrint(context);',
    "definePrint(context); context.setProp(context.global, 'host', context.newFunction('host', (text) => context.newString(host(context.getString(text)))));",
  ],
  lua: ["lua.global.set('__code', code);", "lua.global.set('__code', code); lua.global.set('host', host);"],
  python: [
    'python.unregisterJsModule(name);',
    "python.unregisterJsModule(name);\n  python.registerJsModule('outside', { host });",
  ],
  prolog: [
    "swipl.FS.writeFile('/prelude.pl'",
    "globalThis.window = globalThis; globalThis.host = host; swipl.FS.writeFile('/prelude.pl'",
  ],
};

const CALLS: Record<StepLanguage, (text: string) => string> = {
  javascript: (text) => `return [host(${text})]`,
  lua: (text) => `return { host(${text}) }`,
  python: (text) => `from outside import host\nreturn [host(${text})]`,
  prolog: (text) => `X := host(${text}), Result = [X].`,
};

/** Code in each language that gives the answer of the host as a list with one text. */
export function callingHost(language: StepLanguage, script: string): string {
  return CALLS[language](JSON.stringify(script));
}

/** Interpreters that anybody can get out of, without Node's permission model: nothing but the jail is left. */
export interface BrokenInterpreters {
  run(language: StepLanguage, code: string, limits?: Partial<SandboxLimits>): Promise<{ answer: Answer; ms: number }>;
  close(): Promise<void>;
}

export async function brokenInterpreters(
  level: SandboxLevel,
  env: Record<string, string> = {},
): Promise<BrokenInterpreters> {
  const runtime = brokenRuntime();
  const folder = makeWorkerFolder();
  const settings: LaunchSettings = {
    ...(await launchSettings(level, DEFAULT_LIMITS, folder, runtime)),
    hardened: false,
  };
  let snapshot: Promise<string | undefined> | undefined;
  return {
    async run(language, code, asked = {}) {
      const limits = { ...DEFAULT_LIMITS, ...asked };
      const name = language === 'python' ? await (snapshot ??= makeSnapshot(settings.snapshots, SNAPSHOTS)) : undefined;
      const launch = launchOf(settings, language, name);
      const interpreter = new Interpreter({ ...launch, env: { ...launch.env, ...env } }, path.join(folder, 'work'));
      await interpreter.ready;
      const started = performance.now();
      const answer = await interpreter.run({ code, inputs: { state: {} }, memoryBytes: limits.memoryBytes }, limits);
      await interpreter.end();
      return { answer, ms: performance.now() - started };
    },
    async close() {
      removeWorkerFolder(folder);
      rmSync(path.dirname(runtime), { recursive: true, force: true });
    },
  };
}

function brokenRuntime(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'broken-runtime-'));
  const runtime = path.join(folder, 'runtime');
  cpSync(RUNTIME, runtime, { recursive: true });
  for (const [language, [find, replace]] of Object.entries(ESCAPES)) {
    const file = path.join(runtime, `${language}.cjs`);
    const text = readFileSync(file, 'utf8');
    if (!text.includes(find)) throw new Error(`${language}.cjs has no "${find}" any more`);
    writeFileSync(
      file,
      text.replace("'use strict';", `'use strict';\n${HOST}`).replace(find, () => replace),
    );
  }
  // Outside of a jail, packages are found from where the runtime is.
  symlinkSync(path.join(__dirname, '..', '..', '..', 'node_modules'), path.join(folder, 'node_modules'));
  chmodSync(folder, 0o755);
  return runtime;
}
