import { checkLevels, defaultLevel, type SandboxOptions } from '../../../worker';
import type { Finding } from './model-findings';
import { runsNoLanguage } from './optional-findings';

/** Tries the level that the worker would demand; a weaker level that works is named, for a user who may choose it. */
export async function sandboxFinding({ level: demanded = defaultLevel() }: SandboxOptions): Promise<Finding> {
  if (runsNoLanguage()) return { well: true, text: 'Inline code: no language is installed' };
  try {
    const checks = await checkLevels();
    const had = checks.find(({ granted }) => granted)?.level;
    const check = checks.find(({ level }) => level === demanded)!;
    if (check.granted) {
      const text = `Inline code: sandbox level ${demanded}; this machine gives ${had}`;
      if (demanded !== 'namespaces') return { well: true, text };
      const { unfiltered, hostNameSeen } = check;
      const calls = `system calls ${unfiltered === undefined ? 'filtered' : `not filtered: ${unfiltered}`}`;
      const name = `host name ${hostNameSeen === undefined ? 'hidden' : `not hidden: ${hostNameSeen}`}`;
      return { well: true, text: `${text}, ${calls}, ${name}` };
    }
    return {
      well: false,
      text: `Inline code: sandbox level ${demanded} is demanded and not granted: ${check.why}`,
      advice: `This machine gives ${had ?? 'none'}. Runs without inline code need nothing. See docs/inline-code.md.`,
    };
  } catch (error) {
    return { well: false, text: (error as Error).message, advice: 'It comes from REFLECT_SANDBOX.' };
  }
}
