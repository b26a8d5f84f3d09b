/** Agents as other engines' files have them, each with something that is written in another way here. */
export const AGENTS: Record<string, string> = {
  'a loop, a check, a correction and code': `# Writes haikus.
# Every week.

name: haiku   # short
description: Writes a haiku, and checks it.
settings:
  llm: { provider: openai, model: small } # for all
state:
  topicName: rain
  deep_key: { innerKey: 1, inner_key: 2 }

nodes:
  # The loop.
  - name: write
    uses: reflection.loop
    with:
      generator:
        action: llm.call
        # asked each time
        prompt: |
          Write a haiku about {{ state.topicName }}.
      evaluator:
        - type: llm
          prompt: 'Is it a haiku?'
      quality_criteria: [clarity]
      reflection_triggers: [completion, error]
      revision_strategy: full_rewrite
      max_iterations: 3 # enough
      on_failure: return_best
    output: poem

  - name: check
    uses: reflection.evaluate
    with:
      data: "{{ state.poem }}"
      # what it must be
      evaluator_type: schema
      schema: {type: object, required: [aKey, b_key]}
    output: verdict
  - name: fix
    uses: reflection.correct
    with: { data: "{{ state.poem }}", prompt: Fix it, max_tokens: 20 }
    output: fixed
  - name: end
    run: |
      return {"x": 1}
edges:
  - { from: __start__, to: write }
  - { from: write, to: check }
  - { from: check, to: fix }
  - { from: fix, to: end }
  - { from: end, to: __end__ }
# the end
`,
  'a list of nodes': `# two steps
- name: draft   # first
  uses: llm.call
  with:
    messages:
      - { role: system, content: Be brief. }
      - role: user
        content: >-
          Tell me about
          {{ state.topic }}
    temperature: 0
  output: text

- name: count
  action: my.action
  with: { snake_key: "{{ state.text }}", camelKey: [1, 2.0, 0x10, ~] }
`,
  'anchors and aliases': `state:
  shared: &prompt Write about {{ state.topic }}.
nodes:
  - name: one
    uses: reflection.loop
    with: &loop
      generator: { uses: llm.call, prompt: *prompt }
      evaluator: &judge { type: criteria, criteria: [clarity] }
      max_iterations: 2
    output: first
  - name: two
    uses: reflection.loop
    with: *loop
    output: second
`,
  'a judge by a node, with criteria alone': `nodes:
  - name: judge
    uses: reflection.evaluate
    with: { evaluator_type: llm, prompt: Fine?, model: big, examples: [{ input: x_y, output: { pass: true } }] }
  - name: loop
    uses: reflection.loop
    with:
      generator: { run: 'return "x"', language: python }
      # what counts
      quality_criteria:
        - clarity # most of all
        - completeness
      quality_threshold: 0.8
    output: x
`,
  'a loop alone': `task: Greet them
state: { user_name: Ada, "quoted key": 'yes', "1": no }
generator:
  uses: llm.call
  prompt: "Greet {{ state.user_name }}"
quality_criteria: [tone]
evaluator: { type: regex, pattern: '^Dear ' }
corrector:
  run: |
    # indented
    return output.strip()
plateau_iterations: 2
reflection_interval: 2
reflection_triggers: [step_interval]
`,
  'a plan': `goal: Publish the report # soon
max_replanning_attempts: 1
plan:
  tasks:
    - id: collect
      description: Collect it
      step: { uses: my.collect, with: { quarter_number: 3 } }
    # then
    - id: write
      description: Write it
      depends_on: [collect]
      step:
        loop:
          generator: { action: llm.call, prompt: 'From {{ state.results.collect }}' }
          evaluator: { type: llm, prompt: Complete? }
          quality_criteria: [clarity]
`,
  JSON: `{"nodes":[{"name":"a","uses":"reflection.loop","with":{"generator":{"action":"llm.call","prompt":"x"},"evaluator":{"type":"schema","schema":true},"max_iterations":2},"output":"y"}]}`,
};

/** The same agents in the words of this package, without short forms. */
export const OWN_WORDS: Record<string, string> = {
  'a loop, a check, a correction and code': `name: haiku
description: Writes a haiku, and checks it.
settings:
  llm: { model: small }
state:
  topicName: rain
  deep_key: { innerKey: 1, inner_key: 2 }
nodes:
  - name: write
    action: reflection.loop
    with:
      generator:
        action: llm.call
        prompt: |
          Write a haiku about {{ state.topicName }}.
      evaluator:
        - type: llm
          prompt: 'Is it a haiku?'
        - criteria: [ clarity ]
          type: criteria
      revision:
        strategy: full_rewrite
      max_iterations: 3
      on_failure: return_best
      convergence: false
      triggers:
        reflect_on_error: true
    output: poem
  - name: check
    action: reflection.evaluate
    with:
      data: "{{ state.poem }}"
      evaluator:
        type: schema
        schema: { type: object, required: [ aKey, b_key ] }
    output: verdict
  - name: fix
    action: reflection.correct
    with: { data: "{{ state.poem }}", corrector: { prompt: Fix it, max_tokens: 20, action: llm.call } }
    output: fixed
  - name: end
    run: |
      return {"x": 1}
edges:
  - { from: __start__, to: write }
  - { from: write, to: check }
  - { from: check, to: fix }
  - { from: fix, to: end }
  - { from: end, to: __end__ }
`,
  'a list of nodes': `nodes:
  - name: draft
    action: llm.call
    with:
      messages:
        - { role: system, content: Be brief. }
        - role: user
          content: >-
            Tell me about {{ state.topic }}
      temperature: 0
    output: text
  - name: count
    action: my.action
    with: { snake_key: "{{ state.text }}", camelKey: [ 1, 2.0, 0x10, ~ ] }
`,
  'anchors and aliases': `state:
  shared: Write about {{ state.topic }}.
nodes:
  - name: one
    action: reflection.loop
    with:
      generator: { action: llm.call, prompt: "Write about {{ state.topic }}." }
      evaluator: { type: criteria, criteria: [ clarity ] }
      max_iterations: 2
      convergence: false
    output: first
  - name: two
    action: reflection.loop
    with:
      generator: { action: llm.call, prompt: "Write about {{ state.topic }}." }
      evaluator: { type: criteria, criteria: [ clarity ] }
      max_iterations: 2
      convergence: false
    output: second
`,
  'a judge by a node, with criteria alone': `nodes:
  - name: judge
    action: reflection.evaluate
    with: { evaluator: { type: llm, prompt: Fine?, model: big, examples: [ { input: x_y, output: { pass: true } } ] } }
  - name: loop
    action: reflection.loop
    with:
      generator: { run: 'return "x"', language: python }
      evaluator:
        criteria:
          - clarity
          - completeness
        type: criteria
      quality_threshold: 0.8
      convergence: false
    output: x
`,
  'a loop alone': `task: Greet them
state: { user_name: Ada, "quoted key": 'yes', "1": no }
generator:
  action: llm.call
  prompt: "Greet {{ state.user_name }}"
evaluator:
  - { type: regex, pattern: '^Dear ' }
  - criteria: [ tone ]
    type: criteria
corrector:
  run: |
    # indented
    return output.strip()
convergence:
  plateau_iterations: 2
triggers:
  reflection_interval: 2
`,
  'a plan': `goal: Publish the report
max_replanning_attempts: 1
plan:
  tasks:
    - id: collect
      description: Collect it
      step: { action: my.collect, with: { quarter_number: 3 } }
    - id: write
      description: Write it
      depends_on: [ collect ]
      step:
        loop:
          generator: { action: llm.call, prompt: 'From {{ state.results.collect }}' }
          evaluator:
            - { type: llm, prompt: Complete? }
            - criteria: [ clarity ]
              type: criteria
`,
  JSON: `nodes:
  - name: "a"
    action: "reflection.loop"
    with:
      generator:
        action: "llm.call"
        prompt: "x"
      evaluator:
        type: "schema"
        schema: true
      max_iterations: 2
      convergence: false
    output: "y"
`,
};
