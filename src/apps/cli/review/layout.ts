import { ROOT } from './access';
import { createHash } from 'node:crypto';
import { WHO_CHARACTERS } from '../../../loop/base/command-payloads';
import { Html, html, type Part } from '../../report/html';
import { sourceHash } from '../../report/page';
import { STYLE } from '../../report/style';

const REVIEW_STYLE = `${STYLE}
a{color:var(--accent)}
nav{display:flex;flex-wrap:wrap;gap:.3rem 1.2rem;align-items:baseline;margin-bottom:1rem;font-size:.92rem}
nav form{display:flex;gap:.4rem;align-items:baseline;margin-left:auto}
.skip{position:absolute;left:-200rem}.skip:focus{left:auto;position:static}
.news{position:sticky;top:0;z-index:1;margin:0 0 1rem;padding:.6rem .9rem;border:1px solid var(--accent);border-radius:.4rem;background:var(--back)}
.notice.pass{border-color:var(--good)}.notice.fail{border-color:var(--bad)}
.runs{list-style:none;padding:0}
.runs li{padding:.6rem 0;border-bottom:1px solid var(--line)}
.runs a{font-weight:600}
.decide{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(22rem,100%),1fr));gap:.9rem;align-items:start}
.decide>form,.decide>details{margin:0;padding:.8rem .9rem;border:1px solid var(--line);border-radius:.4rem}
.decide>details>form{margin-top:.2rem}
.decide summary{padding:0}
fieldset{margin:0 0 1rem;padding:.6rem .9rem .4rem;border:1px solid var(--line);border-radius:.4rem;min-width:0}
legend{padding:0 .4rem;font-weight:600}
.answers{margin-bottom:1.2rem}.answers fieldset .text{margin-bottom:.6rem;max-height:20rem}
.asked{margin:.2rem 0 .6rem;white-space:pre-wrap;unicode-bidi:plaintext}
label{display:block;margin:.1rem 0 .5rem;font-size:.9rem}
label>span{display:block;color:var(--faint)}
.choice{display:flex;gap:.5rem;align-items:baseline}.choice>span{color:var(--text)}.choice input{width:auto;flex:none}
input,textarea{width:100%;padding:.45rem .55rem;border:1px solid var(--faint);border-radius:.3rem;background:var(--back);color:var(--text);font:inherit}
nav input{width:9rem;flex:1 1 6rem;min-width:0;padding:.25rem .5rem}nav button{min-height:2rem;padding:.1rem .7rem}nav label{margin:0;color:var(--faint)}
textarea{min-height:5.5rem;resize:vertical}
textarea.whole{min-height:12rem;font:.86rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
button{min-height:2.5rem;padding:.4rem 1rem;border:1px solid var(--accent);border-radius:.3rem;background:var(--back);color:var(--accent);font:inherit;font-weight:600;cursor:pointer}
button.main{background:var(--accent);color:var(--back)}
button.risky{border-color:var(--bad);color:var(--bad)}
.hint{margin:.4rem 0 0;color:var(--faint);font-size:.85rem}
@media print{nav,.decide,.news{display:none}}
`;

/**
 * The script that keeps a page fresh. It requests the page again every two seconds; if the page changed, the new one takes the
 * place of the old, with the focus, what is open and what was typed as they were. While a user types, it shows only that there
 * are changes. Right after a change forms are not sent: a click may have been for what was there before. Without scripts all
 * pages work, and are reloaded by hand.
 */
const SCRIPT = `(() => {
  const PAUSE = 2000, GUARD = 700;
  const news = document.getElementById('news');
  const main = () => document.querySelector('main');
  const fields = () => [...main().querySelectorAll('textarea, input:not([type=hidden])')];
  const isChoice = ({ type }) => type === 'radio' || type === 'checkbox';
  const isTyped = (field) => isChoice(field)
    ? field.checked !== field.defaultChecked || (field.dataset.typed !== undefined && field.checked && field.value !== '')
    : field.value !== field.defaultValue || (field.dataset.typed !== undefined && field.value !== '');
  let changedAt = -GUARD;
  const say = (text, next) => {
    news.hidden = text === '';
    if (news.firstChild?.textContent === text) { if (next) news.next = next; return; }
    news.replaceChildren();
    if (text === '') return;
    news.append(Object.assign(document.createElement('span'), { textContent: text }));
    if (!next) return;
    news.next = next;
    const button = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Show what is now' });
    button.addEventListener('click', () => { show(news.next); document.querySelector('h1').focus(); });
    news.append(' ', button);
  };
  const show = (next) => {
    const typed = fields().filter((field) => field.id && isTyped(field)).map(({ id, value, checked }) => ({ id, value, checked }));
    const open = new Map([...main().querySelectorAll('details[id]')].map(({ id, open }) => [id, open]));
    const focused = main().contains(document.activeElement) ? document.activeElement.id : '';
    main().replaceWith(document.importNode(next.querySelector('main'), true));
    document.querySelector('header').replaceWith(document.importNode(next.querySelector('header'), true));
    document.title = next.title;
    for (const { id, value, checked } of typed) {
      const field = document.getElementById(id);
      if (field) Object.assign(field, { value, checked });
    }
    for (const [id, isOpen] of open) {
      const details = document.getElementById(id);
      if (details) details.open = isOpen;
    }
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    changedAt = performance.now();
    say('');
  };
  const look = async () => {
    const { state } = main().dataset;
    const headers = { 'if-none-match': state };
    const response = await fetch(location.pathname, { headers, cache: 'no-store', signal: AbortSignal.timeout(60000) });
    if (response.status === 304) {
      if (!news.next) say('');
      return;
    }
    if (response.status === 401) return say('You are not signed in any more. Where reflect review serves this page, start it again; else sign in again.');
    const next = new DOMParser().parseFromString(await response.text(), 'text/html');
    const fresh = next.querySelector('main');
    if (!fresh?.dataset.state || fresh.dataset.state === state) return;
    if (fields().some(isTyped)) say('There is news: ' + fresh.dataset.standing + '. What you typed is about what you see here.', next);
    else show(next);
  };
  const again = async () => {
    if (!document.hidden) {
      try { await look(); }
      catch { say('No answer. Is what serves this page (reflect review, or your service) still running?'); }
    }
    setTimeout(again, PAUSE);
  };
  document.addEventListener('submit', (event) => {
    if (performance.now() - changedAt < GUARD) event.preventDefault();
  });
  if (main().dataset.state) setTimeout(again, PAUSE);
})();`;

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

export interface PageParts {
  title: string;
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

/** Renders a page and its state, which is another one whenever what it shows is. */
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
