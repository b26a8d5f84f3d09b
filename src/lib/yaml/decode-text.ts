import { SpecFileError } from './spec-file-error';

function firstWrongByte(bytes: Uint8Array): number {
  // As many characters as there are bytes would be ASCII: the first replacement character replaces the wrong byte.
  const before = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes).split('\uFFFD', 1)[0]!;
  return Buffer.byteLength(before);
}

/** Decodes a file. Throws SpecFileError `InvalidYaml` at the first byte that is not UTF-8. */
export function decodeText(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const at = firstWrongByte(bytes);
    const before = Buffer.from(bytes.subarray(0, at)).toString('utf8').split('\n');
    const isUtf16 = at === 0 && (bytes[0] === 0xff || bytes[0] === 0xfe);
    const found = isUtf16 ? 'it looks like UTF-16' : `its byte ${at + 1} is 0x${bytes[at]!.toString(16)}`;
    const message = `the file is not UTF-8 (${found}): save it as UTF-8`;
    const problem = { path: '', message, line: before.length, column: before.at(-1)!.length + 1 };
    throw new SpecFileError('InvalidYaml', file, [problem]);
  }
}
