import type { ReflectionSpec } from '../../src';

/** What an author could write to make a page do something. */
export const HOSTILE = [
  '</pre></style></script><script>document.title = "taken"; fetch("https://example.com/stolen")</script>',
  '<img src=https://example.com/a.png onerror="document.title = 1"><iframe src="javascript:alert(1)"></iframe>',
  '<style>@import "https://example.com/a.css";</style><link rel=stylesheet href=//example.com/b.css>',
  '{{ constructor.constructor("return 1")() }} {% raw %} ${process.exit()} <%= 1 %> #{1} $& $1 &lt;b&gt; <!-- ]]> -->',
  '\u202egnp.exe \u2066isolated\u2069 \u200b\u0000\u001b[31mred \ufeff\ud800 end',
  '<form action=https://example.com><button autofocus onfocus=alert(1)>send</button></form>',
].join('\n');

/**
 * A loop with hostile texts of its owner, whose action `attacks` writes others.
 *
 * @param wanted what makes a version better than the others
 */
export function hostileLoop(text: string, wanted = ''): ReflectionSpec {
  return {
    name: text.slice(0, 90),
    // A task is a template, which this part of the text would break.
    task: text.replace(/\{\{.*/, ''),
    generator: { action: 'attacks' },
    evaluator: [
      { type: 'regex', pattern: '^never$', message: text.slice(0, 300) },
      ...(wanted === '' ? [] : [{ type: 'regex', pattern: wanted }]),
    ],
    maxIterations: 2,
  } as ReflectionSpec;
}
