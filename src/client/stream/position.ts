import type { StreamedRole } from '../../loop/contract/streamed-text';
import { InvalidConfigError } from '../../loop/errors/errors';

export interface TextPosition {
  call: string;
  take: string;
  length: number;
  role: StreamedRole;
  iteration: number;
}

export interface Position {
  written: number;
  judged: number;
  /** The latest call whose text was reported; undefined once its output was. */
  text?: TextPosition;
}

const FORM =
  /^(\d{1,6}) (\d{1,6})(?: (\d{1,9}\.\d{1,9}) (\d{1,12}) (draft|revision|edits|advice) (\d{1,6}) (\S{1,300}))?$/;

export function renderPosition({ written, judged, text }: Position): string {
  const { take, length, role, iteration, call } = text ?? {};
  return [written, judged, ...(text ? [take, length, role, iteration, call] : [])].join(' ');
}

/** Reads the position of an event. Throws InvalidConfigError for a text that no event has as its position. */
export function readPosition(given: string | undefined): Position {
  if (given === undefined) return { written: 0, judged: 0 };
  const [, written, judged, take, length, role, iteration, call] = FORM.exec(given) ?? [];
  if (written === undefined) {
    throw new InvalidConfigError([{ path: '/from', message: 'must be the `position` of an event of the same run' }]);
  }
  const position = { written: Number(written), judged: Number(judged) };
  if (call === undefined) return position;
  const place = { role: role as StreamedRole, iteration: Number(iteration) };
  return { ...position, text: { call, take: take!, length: Number(length), ...place } };
}
