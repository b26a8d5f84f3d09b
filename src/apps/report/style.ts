const LIGHT = `--back:#fff;--soft:#f4f5f7;--text:#1c1f24;--faint:#5b6470;--line:#d9dde3;--accent:#1f5fbf;
--good:#14713a;--bad:#b3261e;--open:#8a5a00;--ins:#d4f2dc;--del:#fbdcd9;`;

const DARK = `--back:#15181d;--soft:#1e232a;--text:#e6e9ee;--faint:#9aa4b2;--line:#343b46;--accent:#7fb0ff;
--good:#63d08c;--bad:#ff8a80;--open:#f0b95a;--ins:#17402a;--del:#4e2321;`;

/** The style of the pages. They are light or dark as the reader's system is, and light on paper. */
export const STYLE = `
:root{color-scheme:light dark;${LIGHT}}
@media screen and (prefers-color-scheme:dark){:root{${DARK}}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:76rem;padding:1.5rem clamp(.9rem,3vw,2rem) 3rem;background:var(--back);color:var(--text);
font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{margin:0 0 .3rem;font-size:1.6rem;line-height:1.25}
h2{margin:2.2rem 0 .7rem;font-size:1.2rem}
h3{margin:1rem 0 .3rem;font-size:1rem}
h4{margin:0 0 .3rem;font-size:.85rem;color:var(--faint)}
ul{margin:.3rem 0;padding-left:1.3rem}
code,pre{font:.86rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.task{margin:.8rem 0;padding:.6rem .9rem;border-left:3px solid var(--accent);background:var(--soft);white-space:pre-wrap;max-height:14rem;overflow:auto}
.note{color:var(--faint);font-size:.88rem;font-weight:normal}
.badge{display:inline-block;padding:.1rem .6rem;border:1px solid;border-radius:1rem;font-size:.85rem}
.good,.pass{color:var(--good)}.bad,.fail{color:var(--bad)}.open,.inconclusive{color:var(--open)}
.notice{margin:1rem 0;padding:.7rem .9rem;border:1px solid var(--open);border-radius:.4rem}
dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(8.5rem,1fr));gap:.7rem 1.2rem;margin:1.1rem 0}
dt{color:var(--faint);font-size:.82rem}dd{margin:0}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.9rem;overflow-wrap:break-word}
th,td{padding:.4rem .6rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
th{color:var(--faint);font-weight:600;white-space:nowrap}
td.number,th.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
time{white-space:nowrap}dd time{white-space:normal}
details{margin:.6rem 0;border:1px solid var(--line);border-radius:.4rem;padding:0 .9rem}
details[open]{padding-bottom:.8rem}
summary{padding:.6rem 0;cursor:pointer;font-weight:600}
.sides{display:grid;grid-template-columns:1fr 1fr;gap:.9rem}
.sides>div{min-width:0}
.text{margin:0;padding:.7rem .8rem;max-height:32rem;overflow:auto;background:var(--soft);border-radius:.3rem;
white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:plaintext}
ins{background:var(--ins);text-decoration:none;border-bottom:2px solid var(--good)}
del{background:var(--del);text-decoration:line-through;text-decoration-thickness:1px}
.gap{color:var(--faint);font-style:italic}
.chart{display:block;width:100%;min-width:27rem;max-width:46rem;height:auto}
.chart .grid{stroke:var(--line)}.chart .axis{fill:var(--faint);font-size:11px}.chart .value{fill:var(--text);font-size:11px}
.chart .line{fill:none;stroke:var(--accent);stroke-width:2}
.chart .best{fill:none;stroke:var(--accent);stroke-width:2}
.chart .bar,.chart .point{fill:var(--accent)}.chart .zero{stroke:var(--faint)}
.chart .pass{fill:var(--good)}.chart .fail{fill:var(--bad)}.chart .inconclusive{fill:var(--open)}
footer{margin-top:2.5rem;padding-top:.8rem;border-top:1px solid var(--line);color:var(--faint);font-size:.85rem}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
@media (max-width:44rem){.sides{grid-template-columns:1fr}}
@media print{body{max-width:none;padding:0}.text,.task{max-height:none;overflow:visible}.wide{overflow:visible}
details::details-content{content-visibility:visible;display:block}section,details,tr{break-inside:auto}h2,h3,summary{break-after:avoid}}
`;
