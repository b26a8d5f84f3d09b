import { defaultTriggerConfig, loadTriggerConfig, ReflectionEngine, ReflectionTrigger } from '../../../../src/compat';
import {
  addImportance,
  importanceProfile,
  insightImportance,
  questionsFor,
} from '../../../../src/kinds/agents/state/agent-type';
import {
  renderCriticPrompt,
  labelInsight,
  type Occasion,
  renderReflectionPrompt,
  writeTemplateInsight,
} from '../../../../src/kinds/agents/state/insight-text';
import { explainSkip, type TriggerContext } from '../../../../src/kinds/agents/state/should-reflect';
import { triggerConfigOf } from '../../../../src/kinds/agents/state/trigger-config';
import { parseConfig } from '../../../../src/kinds/list/config';

const engine = new ReflectionEngine();
const TYPES = ['household', 'household_owner', 'household_renter', 'government', 'insurance'];

function reflects(
  trigger: ReflectionTrigger,
  { type = 'household', year = 3, config = defaultTriggerConfig(), context = {} as TriggerContext } = {},
): boolean {
  return engine.shouldReflectTriggered('a1', type, year, trigger, config, context);
}

describe('kinds of triggers', () => {
  test.each([
    ['CRISIS', 'crisis'],
    ['PERIODIC', 'periodic'],
    ['DECISION', 'decision'],
    ['INSTITUTIONAL', 'institutional'],
  ] as const)('%s is "%s"', (name, value) => {
    expect(ReflectionTrigger[name]).toBe(value);
    expect(Object.keys(ReflectionTrigger)).toHaveLength(4);
  });
});

describe('configuration', () => {
  const DEFAULTS = {
    crisis: true,
    periodicInterval: 5,
    decisionTypes: ['elevate_house', 'buyout_program', 'relocate'],
    institutionalThreshold: 0.05,
    method: 'hybrid',
    batchSize: 10,
    importanceBoost: 0.85,
  };

  test('the defaults', () => {
    expect(defaultTriggerConfig()).toEqual(DEFAULTS);
  });

  test('each configuration has a list of its own', () => {
    defaultTriggerConfig().decisionTypes.push('x');
    expect(defaultTriggerConfig()).toEqual(DEFAULTS);
  });

  test('nested, as in the YAML', () => {
    const config = ReflectionEngine.loadTriggerConfig({
      triggers: { crisis: false, periodic_interval: 3, decision_types: ['relocate'], institutional_threshold: 0.1 },
      method: 'llm',
      batch_size: 5,
    });
    expect(config).toEqual({
      crisis: false,
      periodicInterval: 3,
      decisionTypes: ['relocate'],
      institutionalThreshold: 0.1,
      method: 'llm',
      batchSize: 5,
      importanceBoost: 0.85,
    });
  });

  test('flat, and in camelCase', () => {
    expect(loadTriggerConfig({ crisis: false, periodic_interval: 3, method: 'template' })).toEqual({
      ...DEFAULTS,
      crisis: false,
      periodicInterval: 3,
      method: 'template',
    });
    expect(loadTriggerConfig({ periodicInterval: 2, importanceBoost: 0.9 })).toMatchObject({
      periodicInterval: 2,
      importanceBoost: 0.9,
    });
  });

  test.each([undefined, null, {}])('%j gives the defaults', (config) => {
    expect(loadTriggerConfig(config)).toEqual(DEFAULTS);
  });

  test('wrong types and unknown keys are errors with their path', () => {
    const config = {
      triggers: { crisis: 'yes', periodic_interval: 1.5, decision_types: [1], institutional_threshold: -1, speed: 1 },
      method: 'magic',
      batch_size: 0,
      importance_boost: 2,
      interval: 'often',
    };
    expect(() => loadTriggerConfig(config)).toThrow(
      expect.objectContaining({
        type: 'InvalidConfig',
        problems: [
          { path: '/method', message: 'must be one of llm, template, hybrid' },
          { path: '/batch_size', message: 'must be a whole number of at least 1' },
          { path: '/importance_boost', message: 'must be a number from 0 to 1' },
          { path: '/interval', message: 'must be a whole number' },
          { path: '/triggers/crisis', message: 'must be true or false' },
          { path: '/triggers/periodic_interval', message: 'must be a whole number' },
          { path: '/triggers/decision_types', message: 'must be a list of texts' },
          { path: '/triggers/institutional_threshold', message: 'must be a number of at least 0' },
          { path: '/triggers/speed', message: 'unknown field' },
        ],
      }),
    );
    expect(() => loadTriggerConfig({ triggers: 3 })).toThrow(/\/triggers: must be an object/);
    expect(() => loadTriggerConfig('hybrid')).toThrow(/must be an object/);
  });

  test('what the reader of files and wire says is the same configuration', () => {
    const reflection = { interval: 1, batchSize: 4, triggers: { periodicInterval: 2, importanceThreshold: 3 } };
    const parsed = parseConfig({ globalConfig: { reflection } });
    expect('config' in parsed && triggerConfigOf(parsed.config.globalConfig!.reflection!)).toEqual(
      loadTriggerConfig(reflection),
    );
  });
});

describe('who reflects', () => {
  test.each(TYPES)('after a crisis, %s does', (type) => {
    expect(reflects('crisis', { type })).toBe(true);
  });

  test('not after a crisis when that is off', () => {
    expect(reflects('crisis', { config: { ...defaultTriggerConfig(), crisis: false } })).toBe(false);
  });

  test('every five years, and not between', () => {
    const years = Array.from({ length: 11 }, (_, year) => year).filter((year) => reflects('periodic', { year }));
    expect(years).toEqual([5, 10]);
  });

  test('not in year 0, nor with an interval of 0 or less', () => {
    expect(reflects('periodic', { year: 0, config: loadTriggerConfig({ periodic_interval: 1 }) })).toBe(false);
    expect(reflects('periodic', { year: 5, config: loadTriggerConfig({ periodic_interval: 0 }) })).toBe(false);
    expect(reflects('periodic', { year: 5, config: loadTriggerConfig({ periodic_interval: -5 }) })).toBe(false);
  });

  test('after decisions that are listed, and no others', () => {
    for (const type of TYPES) {
      expect(reflects('decision', { type, context: { decision: 'elevate_house' } })).toBe(true);
      expect(reflects('decision', { type, context: { decision: 'buy_insurance' } })).toBe(false);
      expect(reflects('decision', { type })).toBe(false);
    }
  });

  test('institutions after a change of policy above the threshold, up or down', () => {
    for (const type of ['government', 'insurance', 'government_state']) {
      expect(reflects('institutional', { type, context: { policyChangeMagnitude: 0.1 } })).toBe(true);
      expect(reflects('institutional', { type, context: { policyChangeMagnitude: -0.1 } })).toBe(true);
      expect(reflects('institutional', { type, context: { policyChangeMagnitude: 0.05 } })).toBe(false);
      expect(reflects('institutional', { type, context: { policyChangeMagnitude: 0.01 } })).toBe(false);
      expect(reflects('institutional', { type })).toBe(false);
    }
  });

  test('no household after a change of policy, nor who is only named like an institution', () => {
    for (const type of ['household', 'household_owner', 'household_renter', 'governmental', 'anti_insurance']) {
      expect(reflects('institutional', { type, context: { policyChangeMagnitude: 0.5 } })).toBe(false);
    }
  });

  test('why not is said', () => {
    expect(explainSkip({ trigger: 'periodic', year: 3, agentType: 'household' })).toBe('year 3 is not one of every 5');
    const context = { policyChangeMagnitude: 1 };
    expect(explainSkip({ trigger: 'institutional', year: 3, agentType: 'household_owner', context })).toBe(
      'household_owner is no institution',
    );
    expect(explainSkip({ trigger: 'crisis', year: 3, agentType: 'household' })).toBeUndefined();
  });

  test('reflection by the calendar alone is as it was', () => {
    const triennial = new ReflectionEngine({ reflectionInterval: 3 });
    expect([0, 3, 4, 6].map((year) => triennial.shouldReflect('a1', year))).toEqual([false, true, false, true]);
    for (const reflectionInterval of [0, -3]) {
      expect(new ReflectionEngine({ reflectionInterval }).shouldReflect('a1', 6)).toBe(false);
    }
    expect(new ReflectionEngine().shouldReflect('a1', 1)).toBe(true);
  });
});

describe('from the literature', () => {
  test('Park: a crisis counts once importance has added up', () => {
    const config = loadTriggerConfig({ triggers: { importance_threshold: 2 } });
    let sum = 0;
    const fired = [1, 2, 3].map(() => {
      sum = addImportance(sum, 'household', 'crisis');
      return reflects('crisis', { config, context: { importanceSum: sum } });
    });
    expect(fired).toEqual([false, false, true]);
    expect(addImportance(1, 'household', 'crisis', 0.25)).toBe(1.25);
    expect(addImportance(1, 'household', 'crisis', Number.NaN)).toBeGreaterThan(1);
  });

  test('Shinn: a decision of any kind that failed makes one reflect where that is asked for', () => {
    const context = { decision: 'buy_insurance', failed: true };
    expect(reflects('decision', { context })).toBe(false);
    const config = loadTriggerConfig({ triggers: { after_failure: true } });
    expect(reflects('decision', { context, config })).toBe(true);
    expect(reflects('decision', { context: { ...context, failed: false }, config })).toBe(false);
  });

  test('MAR: critics speak from points of view, and the insight weighs what they said', () => {
    const { critics } = loadTriggerConfig({ critics: ['a banker', 'a neighbour'] });
    expect(critics!.map((view) => renderCriticPrompt(occasion, view))).toEqual([
      expect.stringContaining('a banker'),
      expect.stringContaining('a neighbour'),
    ]);
    expect(renderReflectionPrompt(occasion, ['Save money.', 'Talk to us.'])).toMatch(
      /"Save money\."[^]*"Talk to us\."/,
    );
    expect(renderReflectionPrompt(occasion)).not.toContain('Critics');
  });
});

const occasion: Occasion = {
  agentId: 'h1',
  agentType: 'household_owner',
  year: 7,
  trigger: 'crisis',
  event: 'a flood of 2 m',
  memories: ['[Reflection Y5] The dam held.', 'The cellar was wet.', 'A third thing.'],
};

describe('insights', () => {
  test('the template tells the event and the two best memories, without their labels', () => {
    const text = writeTemplateInsight(occasion);
    expect(text).toMatch(/^As a household owner, after the crisis \(a flood of 2 m\)/);
    expect(text).toMatch(/The dam held\.; The cellar was wet\./);
    expect(text).not.toMatch(/Reflection Y5|third thing/);
    expect(writeTemplateInsight({ ...occasion, memories: [] })).toMatch(/I ask: How safe/);
    expect(writeTemplateInsight({ ...occasion, agentType: 'insurance' })).toMatch(/^As an insurance/);
  });

  test('an insight is labelled with its year, once', () => {
    expect(labelInsight(7, 'The dam\nheld.')).toBe('[Reflection Y7] The dam held.');
    expect(labelInsight(7, '[Reflection Y3] The dam held.')).toBe('[Reflection Y7] The dam held.');
  });

  test('each type is asked questions of its own, and subtypes those of their type', () => {
    const first = ['household', 'government', 'insurance', 'school'].map((type) => questionsFor(type)[0]);
    expect(new Set(first).size).toBe(4);
    expect(questionsFor('household_renter')).toBe(questionsFor('household'));
    for (const question of questionsFor('government')) {
      expect(renderReflectionPrompt({ ...occasion, agentType: 'government' })).toContain(question);
    }
  });

  test('importance is that of the profile, and the boost at least', () => {
    const boost = { importanceBoost: 0.85 };
    expect(insightImportance('household', 'crisis', boost)).toBe(importanceProfile('household').crisis);
    expect(insightImportance('household', 'periodic', boost)).toBe(0.85);
    expect(importanceProfile('government').institutional).toBeGreaterThan(importanceProfile('household').institutional);
  });
});
