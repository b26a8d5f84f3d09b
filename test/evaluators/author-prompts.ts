/**
 * Prompts that authors of generators and correctors write around a draft, and what of them stands outside of markers, each
 * fenced text being `·`. The state holds `limit: 80`, `tone: dry` and one version, whose score is 0.5, in `reflection_history`.
 */
export const AUTHOR_PROMPTS: [template: string, outside: string][] = [
  ['Improve {{ state.reflection_output }} now.', 'Improve · now.'],
  ["{{- state['reflection_output'] -}} by {{ state.tone }}", '·by dry'],
  ['{{ state.get("reflection_output") }}', '·'],
  ['{{ reflection_output }} is {{ tone }}', '· is dry'],
  ['{% for h in reflection_history %}{{ h.output }}{% endfor %} {{ limit }}', '· 80'],
  ['{% set tone = reflection_output %}{{ tone }}{{ limit }}', '·80'],
  ['Best: {{ state.reflection_best }}, of {{ state.reflection_best_score }}', 'Best: ·, of 0.5'],
  ['Follow {{ state.reflection_hint }}', 'Follow ·'],
  [
    '{% for h in state.reflection_history %}#{{ h.iteration }} ({{ h.score }}, {{ h.evaluation.outcome }}): {{ h.output }}{% endfor %}.',
    '#1 (0.5, fail): ·.',
  ],
  ['{% for e in state.reflection_errors %}- {{ e.message }}{% endfor %} ({{ state.limit }})', '- · (80)'],
  ['Errors: {{ state.reflection_errors | tojson }}', 'Errors: ·'],
  ['{{ state.reflection_errors | map(attribute="message") | join("; ") }}', '·'],
  ['{{ state.reflection_history | map("tojson") | list | last }}', '·'],
  ['{{ state.reflection_history[-1]["output"] | upper | trim }}!', '·!'],
  ['{{ "It was: " ~ state.reflection_output ~ "; mend it" }}', '·'],
  ['{{ "It was X" | replace("X", state.reflection_output) }}', '·'],
  ['{{ state.reflection_output[:5] }}{{ state.tone }}', '·dry'],
  ['{% set draft = state.reflection_output %}{{ draft }}{{ state.tone | upper }}', '·DRY'],
  ['{% set draft %}Draft: {{ state.reflection_output }}{% endset %}{{ draft | upper }}', '·'],
  ['{% filter lower %}See {{ state.reflection_output }}{% endfilter %} there', '· there'],
  ['{% macro show(x) %}[{{ x }}]{% endmacro %}{{ show(state.reflection_output) }}{{ show(state.tone) }}', '·[dry]'],
  ['{% macro box() %}[{{ caller() }}]{% endmacro %}{% call box() %}{{ state.reflection_output }}{% endcall %}', '·'],
  ['{% for line in state.reflection_output.split("§") %}{{ line }}{% endfor %}', '·'],
  ['{% if state.reflection_output is defined %}Again: {{ state.reflection_output }}{% endif %}', 'Again: ·'],
  ['{{ state.reflection_output if state.limit else "nothing" }}', '·'],
  ['{{ state.nothing or state.reflection_best }}', '·'],
  ['{{ [state.tone, state.reflection_output] | join(", ") }}', '·'],
  ['{% for k, v in {"draft": state.reflection_output}.items() %}{{ k }}={{ v }}{% endfor %}', 'draft=·'],
  ['{{ state | tojson }}', '·'],
];
