import { writeFile } from 'node:fs/promises';
import { convertFile } from '../../yaml';
import { CliError } from '../support/cli-error';
import { EXIT } from '../support/exit-codes';
import { readText } from '../support/run-input';
import { printText, writeData, writeJson } from '../terminal/say';

interface ConvertOptions {
  /** The file to write; default: standard output. */
  output?: string;
  force?: boolean;
  json?: boolean;
}

/** `reflect convert`: prints a file in the words of this package, with a comment at what means something else here. */
export async function convert(file: string, { output, force = false, json }: ConvertOptions): Promise<number> {
  const yaml = convertFile(...(await readText(file)));
  if (output !== undefined) await write(output, yaml, force);
  if (json) writeJson(output === undefined ? { yaml } : { yaml, output });
  else if (output === undefined) writeData(yaml.trimEnd());
  else printText(`Wrote ${output}`);
  return EXIT.success;
}

async function write(output: string, yaml: string, force: boolean): Promise<void> {
  try {
    await writeFile(output, yaml, { flag: force ? 'w' : 'wx' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') throw new CliError('NotWritten', message);
    throw new CliError('FileExists', `${output} is there already.`, 'Name another file, or replace it with --force.');
  }
}
