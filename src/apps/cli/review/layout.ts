import { ROOT } from './access';
import { createHash } from 'node:crypto';
import { WHO_CHARACTERS } from '../../../loop/base/command-payloads';
import { Html, html, type Part } from '../../report/html';
import { sourceHash } from '../../report/page';
import { SCRIPT } from './script';
import { REVIEW_STYLE } from './style';

/** Our own style and script, and requests and forms to our own server; nothing else, and no frame around the pages. */
export const POLICY = [
  `default-src 'none'`,
  `style-src ${sourceHash(REVIEW_STYLE)}`,
  `script-src ${sourceHash(SCRIPT)}`,
  `connect-src 'self'`,
  `form-action 'self'`,
  `base-uri 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

// Their texts are hashed, so nothing is around them.
const STYLE_ELEMENT = new Html(`<style>${REVIEW_STYLE}</style>`);
const SCRIPT_ELEMENT = new Html(`<script>${SCRIPT}</script>`);

/** One page, without what is around it. */
export interface PageParts {
  title: string;
  /** Below the title in the header. */
  head?: Part;
  main: Part;
  /** The state of the run in a few words, shown to a user who types while it changes. */
  standing: string;
  /** About what was just done; it stays when the page is renewed. */
  notice?: Html;
}

function document(title: string, head: Part, body: Part): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        ${STYLE_ELEMENT}${head}
      </head>
      <body>
        ${body}
      </body>
    </html> `.text;
}

const stateOf = (shown: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, 22);

/** The user who acts. A name that was verified cannot be changed on the page. */
export interface Actor {
  name: string;
  isVerified: boolean;
}

function nameForm(name: string): Html {
  return html`<form method="post">
    <label for="by">You act as</label>
    <input id="by" name="by" value="${name}" maxlength="${WHO_CHARACTERS}" required />
    <button name="command" value="name">Change</button>
  </form>`;
}

/**
 * Renders a page and its state, which is another one whenever what it shows is.
 *
 * @param by who acts
 * @param known the state; default: of its content
 */
export function page(
  parts: PageParts,
  { name: by, isVerified }: Actor,
  known?: string,
): { page: string; state: string } {
  const { title, head, main, standing, notice } = parts;
  const content = html`${main}`;
  const top = html`<h1 tabindex="-1">${title}</h1>
    ${head}`;
  const state = known ?? stateOf([title, top.text, content.text, by]);
  const body = html`<nav aria-label="Pages">
      <a class="skip" href="#decide">To the decision</a>
      <a href="${ROOT}/">All runs</a>
      ${isVerified ? html`<span id="by">You act as ${by}</span>` : nameForm(by)}
    </nav>
    <div id="news" class="news" role="status" hidden></div>
    ${notice}
    <header>${top}</header>
    <main data-state="${state}" data-standing="${standing}">${content}</main>
    <footer>durable-reflection</footer>
    ${SCRIPT_ELEMENT}`;
  return { page: document(`${title} – review`, undefined, body), state };
}

export function messagePage(text: string): string {
  return document(
    'Review',
    undefined,
    html`<main>
      <h1>Review</h1>
      <p>${text}</p>
    </main>`,
  );
}

/**
 * Renders the page that leads from the link with the token to the list. A redirect would not do: if the user arrived from another
 * site, the browser would not send the cookie with it.
 */
export function enteringPage(): string {
  const head = html`<meta http-equiv="refresh" content="0;url=${ROOT}/" />`;
  return document(
    'Review',
    head,
    html`<main>
      <p><a href="${ROOT}/">To the runs</a></p>
    </main>`,
  );
}
