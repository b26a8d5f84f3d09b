import { STYLE } from '../../report/style';

/** The style of reports, with what only these pages have: a list, forms and notices. */
export const REVIEW_STYLE = `${STYLE}
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
