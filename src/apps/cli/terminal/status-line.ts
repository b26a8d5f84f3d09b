import pc from 'picocolors';
import { printable } from '../views/printable';
import { costText } from '../views/result-view';
import type { TokenUsage } from '../../../lib/contract/values';
import { fitStream } from './fit';
import { cut, pieces, widthOf } from './width';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const REDRAW_MS = 125;
const ERASE = '\r\u001b[2K';

/** The number of last lines that are shown of a text that is being written; they are looked for among its last characters. */
const TEXT_LINES = 8;
const TEXT_CHARACTERS = 4_000;
/** The number of lines of a terminal that are left for events. */
const NEWS_LINES = 4;

function lastLines(text: string, stream: NodeJS.WriteStream): string[] {
  const room = Math.max(0, Math.min(TEXT_LINES, (stream.rows ?? Infinity) - NEWS_LINES));
  const lines = printable(text.slice(-TEXT_CHARACTERS)).replaceAll('\t', '  ').split('\n');
  return room === 0 ? [] : lines.flatMap((line) => pieces(line, widthOf(stream) - 1)).slice(-room);
}

function elapsedText(milliseconds: number): string {
  const all = Math.floor(milliseconds / 1_000);
  return all < 60 ? `${all} s` : `${Math.floor(all / 60)} min ${all % 60} s`;
}

/**
 * Prints events as lines, and on a terminal a status line below them: the current activity of a run, its duration and the
 * cost so far. A file or a pipe gets the events alone.
 */
export class StatusLine {
  readonly #stream: NodeJS.WriteStream;
  readonly #isLive: boolean;
  #doing = '';
  #since = 0;
  #usage: TokenUsage | undefined;
  #isDrawn = false;
  #text: string[] = [];
  #textDrawn = 0;
  #frame = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #erase = (): void => {
    if (this.#isDrawn) this.#stream.write(this.#erasure());
    this.#isDrawn = false;
    this.#textDrawn = 0;
  };

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
    this.#isLive = stream.isTTY && process.env['TERM'] !== 'dumb';
  }

  /**
   * Shows what the run does now.
   * @param since when that began, epoch milliseconds; default: when `doing` changed
   */
  show(doing: string, usage: TokenUsage | undefined, since?: number): void {
    if (since !== undefined || doing !== this.#doing) this.#since = since ?? Date.now();
    this.#doing = doing;
    this.#usage = usage;
    if (!this.#isLive) return;
    if (this.#timer === undefined) {
      // Ends with the command: it must not keep it alive.
      this.#timer = setInterval(() => this.#draw(), REDRAW_MS).unref();
      // A second Ctrl-C ends the process at once.
      process.on('exit', this.#erase);
    }
    this.#draw();
  }

  get isLive(): boolean {
    return this.#isLive;
  }

  showText(text: string): void {
    this.#text = text === '' ? [] : lastLines(text, this.#stream);
    if (this.#timer !== undefined) this.#draw();
  }

  write(lines: readonly string[]): void {
    this.#erase();
    this.#stream.write(`${fitStream(lines.join('\n'), this.#stream)}\n`);
    if (this.#timer !== undefined) this.#draw();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    process.off('exit', this.#erase);
    this.#erase();
  }

  #draw(): void {
    this.#frame = (this.#frame + 1) % FRAMES.length;
    const cost = this.#usage === undefined || this.#usage.modelCalls === 0 ? [] : [costText(this.#usage)];
    const said = [printable(this.#doing), elapsedText(Date.now() - this.#since), ...cost].join(' · ');
    // The last column stays free: some terminals go on to the next line there.
    const line = cut(`${FRAMES[this.#frame]} ${said}`, widthOf(this.#stream) - 1);
    const text = this.#text.map((each) => `${pc.dim(each)}\n`).join('');
    this.#stream.write(`${this.#erasure()}${text}${pc.dim(line)}`);
    this.#textDrawn = this.#text.length;
    this.#isDrawn = true;
  }

  #erasure(): string {
    return this.#textDrawn === 0 ? ERASE : `\r\u001b[${this.#textDrawn}A\u001b[J`;
  }
}
