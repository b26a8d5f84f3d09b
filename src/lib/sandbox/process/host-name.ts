import { spawnSync } from 'node:child_process';
import { toolPath } from '../tools';

/**
 * Returns why code in namespaces sees the host name of this machine; `undefined` if the jail hides it. In most
 * containers it sees the container's name: their runtimes deny `sethostname` in new namespaces, too.
 *
 * @param unshare the program that makes namespaces
 */
export function whyHostNameSeen(unshare: string): string | undefined {
  const hostname = toolPath('hostname');
  if (hostname === undefined) return 'the program hostname is missing';
  const command = ['--user', '--map-root-user', '--uts', hostname, 'jail'];
  const { status } = spawnSync(unshare, command, { stdio: 'ignore', timeout: 10_000 });
  return status === 0 ? undefined : 'the system denies changing it';
}
