import pc from 'picocolors';
import { costText } from '../views/result-view';
import type { TokenUsage } from '../../domain/base/tokens';
import { fit } from './fit';
import { cut, widthOf } from './width';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const REDRAW_MS = 125;
const ERASE = '\r\u001b[2K';

/** A duration that changes once a second. */
function elapsedText(milliseconds: number): string {
  const all = Math.floor(milliseconds / 1_000);
  return all < 60 ? `${all} s` : `${Math.floor(all / 60)} min ${all % 60} s`;
}

/**
 * News in lines, and on a terminal a line below them that says what a run does now, for how long, and what it has cost: it moves
 * for as long as the command works. A file or a pipe gets the news alone.
 */
export class StatusLine {
  readonly #stream: NodeJS.WriteStream;
  readonly #isLive: boolean;
  #doing = '';
  #since = 0;
  #usage: TokenUsage | undefined;
  #isDrawn = false;
  #frame = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #erase = (): void => {
    if (this.#isDrawn) this.#stream.write(ERASE);
    this.#isDrawn = false;
  };

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
    this.#isLive = stream.isTTY && process.env['TERM'] !== 'dumb';
  }

  /** What the run does now. @param usage what it has cost so far */
  show(doing: string, usage: TokenUsage | undefined): void {
    if (doing !== this.#doing) this.#since = Date.now();
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

  /** Writes lines above it. */
  write(lines: readonly string[]): void {
    this.#erase();
    this.#stream.write(`${fit(lines.join('\n'), widthOf(this.#stream))}\n`);
    if (this.#timer !== undefined) this.#draw();
  }

  /** Takes the line away. */
  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    process.off('exit', this.#erase);
    this.#erase();
  }

  #draw(): void {
    this.#frame = (this.#frame + 1) % FRAMES.length;
    const cost = this.#usage === undefined || this.#usage.modelCalls === 0 ? [] : [costText(this.#usage)];
    const text = [this.#doing, elapsedText(Date.now() - this.#since), ...cost].join(' · ');
    // The last column stays free: some terminals go on to the next line there.
    const line = cut(`${FRAMES[this.#frame]} ${text}`, widthOf(this.#stream) - 1);
    this.#stream.write(`${ERASE}${pc.dim(line)}`);
    this.#isDrawn = true;
  }
}
