/**
 * The script that keeps a page fresh. It requests the page again every two seconds; if the page changed, the new one takes the
 * place of the old, with the focus, what is open and what was typed as they were. While a user types, it shows only that there
 * are changes. Right after a change forms are not sent: a click may have been for what was there before. Without scripts all
 * pages work, and are reloaded by hand.
 */
export const SCRIPT = `(() => {
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
