import { printAside } from './say';
import type { WriteTarget } from './write-target';

export async function writeReport(target: WriteTarget, page: string): Promise<void> {
  await target.write([page]);
  printAside(`The report is in ${target.file}.`);
}
