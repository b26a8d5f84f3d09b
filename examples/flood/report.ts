import type { AgentReflection } from 'durable-reflection';
import type { FloodResult, FloodYear } from './workflow';

const KINDS = ['crisis', 'periodic', 'decision', 'institutional'] as const;
type Kind = (typeof KINDS)[number];

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes untrusted text for HTML. */
export function escaped(value: unknown): string {
  return String(value).replace(/[&<>"']/g, (character) => ESCAPES[character]!);
}

const words = (name: string): string => escaped(name.replaceAll('_', ' '));
const percent = (share: number): string => `${Math.round(share * 1_000) / 10} %`;
const signed = (share: number): string => `${share > 0 ? '+' : '−'}${percent(Math.abs(share))}`;

const STYLE = `
:root { --ink: #1d2733; --soft: #5b6875; --line: #dde3ea; --paper: #fff; --water: #2f74c0;
  --crisis: #c0392b; --periodic: #6b7a8a; --decision: #b7791f; --institutional: #5b4bb7; }
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: #f3f6f9; margin: 0; padding: 32px; }
main { max-width: 1280px; margin: 0 auto; }
h1 { font-size: 26px; margin: 0 0 4px; } h2 { font-size: 18px; margin: 32px 0 12px; }
.sub { color: var(--soft); margin: 0 0 20px; }
.numbers { display: flex; flex-wrap: wrap; gap: 12px; margin: 0; padding: 0; list-style: none; }
.numbers li { background: var(--paper); border: 1px solid var(--line); border-radius: 8px; padding: 10px 16px; min-width: 120px; }
.numbers b { display: block; font-size: 22px; }
.numbers span { color: var(--soft); }
.scroll { overflow-x: auto; background: var(--paper); border: 1px solid var(--line); border-radius: 8px; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: 8px 10px; text-align: left; vertical-align: top; }
thead th { font-weight: 600; white-space: nowrap; } tbody th { white-space: nowrap; font-weight: 600; }
tr:last-child > * { border-bottom: 0; }
.grid td { text-align: center; min-width: 62px; } .flood { background: #e6f0fb; }
.bar { display: block; margin: 0 auto 4px; width: 18px; background: var(--water); border-radius: 3px 3px 0 0; }
.chip { display: inline-block; border-radius: 10px; padding: 0 8px; margin: 1px; color: #fff; font-size: 13px; white-space: nowrap; }
.crisis { background: var(--crisis); } .periodic { background: var(--periodic); }
.decision { background: var(--decision); } .institutional { background: var(--institutional); }
.did { background: #eef1f4; color: var(--ink); border: 1px solid var(--line); }
.none { color: #6f7c89; } details { margin: 8px 0; } summary { cursor: pointer; font-weight: 600; }
.say { color: var(--soft); }
`;

function chip(kind: Kind | 'did', text: string): string {
  return `<span class="chip ${kind}">${text}</span>`;
}

function counted<T extends string>(values: readonly T[]): [T, number][] {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts];
}

/** Which agents reflected in a year, and on what kind of event, by the simulation's own log. */
function reflectionsOf({ told }: FloodYear, typeOf: ReadonlyMap<string, string>): { kind: Kind; type: string }[] {
  return told.flatMap(({ kind, reflected }) =>
    reflected.map((agentId) => ({ kind, type: typeOf.get(agentId) ?? '?' })),
  );
}

function cell(year: FloodYear, type: string, typeOf: ReadonlyMap<string, string>): string {
  const reflected = counted(
    reflectionsOf(year, typeOf)
      .filter((one) => one.type === type)
      .map(({ kind }) => kind),
  );
  const decided = counted(year.decisions.filter((one) => one.type === type).map(({ decision }) => decision));
  const changed = year.policies.filter(({ agentId }) => typeOf.get(agentId) === type);
  const chips = [
    ...decided.map(([decision, count]) => chip('did', `${count}× ${words(decision)}`)),
    ...changed.map(({ policy, change }) => chip('did', `${words(policy)} ${signed(change)}`)),
    ...reflected.map(([kind, count]) => chip(kind, `${count} ${kind}`)),
  ];
  const text = chips.length === 0 ? '<span class="none">–</span>' : chips.join('<br>');
  return `<td${year.flood ? ' class="flood"' : ''}>${text}</td>`;
}

function floodCell({ flood }: FloodYear): string {
  if (!flood) return '<td><span class="none">–</span></td>';
  const height = Math.round(flood.severity * 36);
  return `<td class="flood"><span class="bar" style="height:${height}px"></span>${flood.severity.toFixed(2)}<br>${flood.affected.length} houses</td>`;
}

function timeline({ agents, years }: FloodResult): string {
  const typeOf = new Map(agents.map(({ id, type }) => [id, type]));
  const types = [...new Set(agents.map(({ type }) => type))];
  const head = years.map(({ year }) => `<th scope="col">Year ${year}</th>`).join('');
  const rows = types.map((type) => {
    const cells = years.map((year) => cell(year, type, typeOf)).join('');
    return `<tr><th scope="row">${words(type)}</th>${cells}</tr>`;
  });
  return `<div class="scroll"><table class="grid"><thead><tr><th></th>${head}</tr></thead><tbody>
<tr><th scope="row">flood</th>${years.map(floodCell).join('')}</tr>
${rows.join('\n')}
</tbody></table></div>`;
}

function insightRows(reflections: readonly AgentReflection[]): string {
  return reflections
    .map(
      ({ year, kind, agentId, insight, importance }) =>
        `<tr><td>${year}</td><td>${chip(kind, kind)}</td><td>${escaped(agentId)}</td><td>${importance.toFixed(2)}</td><td class="say">${escaped(insight)}</td></tr>`,
    )
    .join('\n');
}

function insights({ agents, report }: FloodResult): string {
  const types = [...new Set(agents.map(({ type }) => type))];
  return types
    .map((type) => {
      const own = report.reflections.filter(({ agentType }) => agentType === type);
      return `<details${own.length > 0 && own.length < 30 ? ' open' : ''}><summary>${words(type)}: ${own.length} reflections</summary>
<div class="scroll"><table><thead><tr><th>Year</th><th>Upon</th><th>Agent</th><th>Importance</th><th>Insight</th></tr></thead><tbody>
${insightRows(own)}
</tbody></table></div></details>`;
    })
    .join('\n');
}

function numbers({ years, end, report }: FloodResult): string {
  const gone = end.households.filter((household) => household.gone !== undefined).length;
  const shown: [string, unknown][] = [
    ['years', years.length],
    ['floods', years.filter(({ flood }) => flood).length],
    ['decisions', years.reduce((sum, { decisions }) => sum + decisions.length, 0)],
    ['reflections', report.counts.reflections],
    ['houses raised', end.households.filter(({ elevated }) => elevated).length],
    ['insured', end.households.filter(({ insured }) => insured).length],
    ['moved away', gone],
    ...(end.subsidy === undefined ? [] : [['subsidy at the end', percent(end.subsidy)] as [string, unknown]]),
    ...(end.premium === undefined ? [] : [['premium at the end', percent(end.premium)] as [string, unknown]]),
  ];
  return `<ul class="numbers">${shown.map(([name, value]) => `<li><b>${escaped(value)}</b><span>${escaped(name)}</span></li>`).join('')}</ul>`;
}

/** The HTML page of a simulation: one file, without scripts or external resources. */
export function floodReport(result: FloodResult): string {
  const { name, seed, agents, report } = result;
  const legend = KINDS.map((kind) => chip(kind, `${report.counts.byKind[kind] ?? 0} ${kind}`)).join(' ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(name)} · seed ${escaped(seed)}</title>
<style>${STYLE}</style>
</head>
<body><main>
<h1>${words(name)}</h1>
<p class="sub">${agents.length} agents, seed ${escaped(seed)}. Reflections: ${legend}</p>
${numbers(result)}
<h2>What happened, what was decided, who reflected</h2>
${timeline(result)}
<h2>What they learned</h2>
${insights(result)}
</main></body>
</html>
`;
}
