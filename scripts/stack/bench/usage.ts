import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Stack } from '../stack';

const CGROUPS = '/sys/fs/cgroup';

/** What a container used so far. */
export interface Usage {
  processorSeconds: number;
  /** Resident bytes of its processes, without the pages of files that they read. */
  bytes: number;
}

/** The folder of a container's control group for one controller, of either version. */
function groupOf(pid: string, controller: string): string {
  const lines = readFileSync(`/proc/${pid}/cgroup`, 'utf8').trim().split('\n');
  const all = lines.map((line) => line.split(':') as [string, string, string]);
  const own = all.find(([, names]) => names.split(',').includes(controller));
  const [, , folder] = own ?? all.find(([id]) => id === '0')!;
  return path.join(CGROUPS, own ? controller : '', folder);
}

const field = (text: string, name: string): number => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(text)?.[1] ?? 0);

function processorSeconds(pid: string): number {
  const folder = groupOf(pid, 'cpuacct');
  if (folder.startsWith(path.join(CGROUPS, 'cpuacct'))) {
    return Number(readFileSync(path.join(folder, 'cpuacct.usage'), 'utf8')) / 1e9;
  }
  return field(readFileSync(path.join(folder, 'cpu.stat'), 'utf8'), 'usage_usec') / 1e6;
}

function residentBytes(pid: string): number {
  const text = readFileSync(path.join(groupOf(pid, 'memory'), 'memory.stat'), 'utf8');
  return field(text, 'total_rss') || field(text, 'anon');
}

/** The first processes of containers. Asked once: podman would take processor time from what is measured. */
export async function processesOf({ engine }: Stack, containers: readonly string[]): Promise<string[]> {
  const pids = await engine.podman(['inspect', '--format', '{{.State.Pid}}', ...containers]);
  return pids.split('\n');
}

/** What the containers of some processes used so far, all together. */
export function usageOf(pids: readonly string[]): Usage {
  const all = pids.map((pid) => ({ processorSeconds: processorSeconds(pid), bytes: residentBytes(pid) }));
  const sum = (key: keyof Usage): number => all.reduce((total, each) => total + each[key], 0);
  return { processorSeconds: sum('processorSeconds'), bytes: sum('bytes') };
}
