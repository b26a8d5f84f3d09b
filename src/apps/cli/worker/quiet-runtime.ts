import { installRuntime } from '../../../lib/observability/runtime';

/** Makes the worker's runtime say on stderr what goes wrong, and nothing else, unless `REFLECT_LOG` says otherwise. */
export function installQuietRuntime(level: 'WARN' | 'ERROR' = 'WARN'): void {
  installRuntime({ level: level === 'WARN' ? 'warn' : 'error' });
}
