import ms, { type StringValue } from 'ms';
import { z } from 'zod';
import { isJson, isJsonObject, type Json, type JsonObject } from './domain/json';
import type { LoopSettings } from './domain/loop-settings';
import {
  type Corrector,
  type Duration,
  type Evaluator,
  FAILURE_POLICIES,
  type ReflectionSpec,
  SELECTIONS,
  type Step,
} from './domain/spec';
import type { SpecProblem } from './domain/spec-problem';

// Checked and passed on as it is: zod's own JSON type would copy it, and lose keys such as `__proto__` on the way.
const json = z.custom<Json>((value) => isJson(value), 'must be JSON');
const jsonObject = z.custom<JsonObject>((value) => isJsonObject(value) && isJson(value), 'must be a JSON object');

function milliseconds(duration: Duration): number {
  return typeof duration === 'number' ? duration : (ms(duration as StringValue) ?? Number.NaN);
}

const duration = z
  .union([z.number(), z.string()])
  .refine((value) => milliseconds(value) > 0, { error: 'must be a duration such as "2m", or milliseconds above 0' });

const share = z.number().min(0).max(1);

const modelCallStep = z.strictObject({
  action: z.literal('llm.call'),
  model: z.string().min(1).optional(),
  system: z.string().optional(),
  prompt: z.string().optional(),
  messages: z
    .array(z.strictObject({ role: z.enum(['system', 'user', 'assistant']), content: z.string() }))
    .min(1)
    .optional(),
  temperature: z.number().min(0).max(2).optional(),
  maxTokens: z.int().min(1).optional(),
});

const actionStep = z.strictObject({ action: z.string().min(1), with: json.optional() });

const correctorMode = { mode: z.enum(['replace', 'hint']).optional() };

const evaluatorCommon = {
  name: z.string().min(1).optional(),
  weight: z.number().positive().optional(),
  gate: z.boolean().optional(),
};

const EVALUATORS = {
  schema: z.strictObject({
    ...evaluatorCommon,
    type: z.literal('schema'),
    schema: z.union([z.boolean(), jsonObject]),
    coerce: z.boolean().optional(),
  }),
  llm: z.strictObject({
    ...evaluatorCommon,
    type: z.literal('llm'),
    prompt: z.string().min(1).optional(),
    model: z.string().min(1).optional(),
    examples: z.array(z.strictObject({ input: json, output: json })).optional(),
  }),
} satisfies { [Type in Evaluator['type']]: z.ZodType<Extract<Evaluator, { type: Type }>> };

const LATER_EVALUATORS = ['criteria', 'custom', 'regex', 'function', 'external', 'comparison'];

/** Fields of the contract whose feature is not built yet, by the path of the object that holds them. */
const LATER_FIELDS: Record<string, readonly string[]> = {
  '': ['revision', 'convergence', 'budget', 'triggers', 'review', 'judge', 'memory', 'hooks'],
  '/generator': ['tools'],
  '/corrector': ['tools'],
};

/** Picks the one form that a value means, so that its mistakes are told for that form and not for all. */
function step(forms: Record<string, z.ZodRawShape>) {
  return z.unknown().transform((value, context): unknown => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      context.addIssue({ code: 'custom', message: 'must be an object with `action`' });
      return z.NEVER;
    }
    if ('run' in value && !('action' in value)) {
      context.addIssue({ code: 'custom', message: 'inline code (`run`) is not supported yet' });
      return z.NEVER;
    }
    const shape = (value as { action?: unknown }).action === 'llm.call' ? forms['model'] : forms['action'];
    return passOn(z.strictObject(shape!).safeParse(value), context);
  });
}

function passOn<T>(result: z.ZodSafeParseResult<T>, context: z.RefinementCtx): T {
  if (result.success) return result.data;
  for (const issue of result.error.issues) context.addIssue({ ...issue } as Parameters<typeof context.addIssue>[0]);
  return z.NEVER;
}

const generator = step({ model: modelCallStep.shape, action: actionStep.shape }) as unknown as z.ZodType<Step>;

const corrector = step({
  model: { ...modelCallStep.shape, ...correctorMode },
  action: { ...actionStep.shape, ...correctorMode },
}) as unknown as z.ZodType<Corrector>;

const evaluator = z.unknown().transform((value, context): Evaluator => {
  const type = (value as { type?: unknown } | null)?.type;
  if (typeof type === 'string' && Object.hasOwn(EVALUATORS, type)) {
    return passOn<Evaluator>(EVALUATORS[type as Evaluator['type']].safeParse(value), context);
  }
  const message =
    typeof type === 'string' && LATER_EVALUATORS.includes(type)
      ? `evaluator type "${type}" is not supported yet`
      : `must be an object with \`type\`: ${Object.keys(EVALUATORS).join(' or ')}`;
  context.addIssue({ code: 'custom', message, path: typeof type === 'string' ? ['type'] : [] });
  return z.NEVER;
});

const evaluators = z.unknown().transform((value, context): Evaluator | Evaluator[] => {
  if (!Array.isArray(value)) return passOn(evaluator.safeParse(value), context);
  return passOn(z.array(evaluator).min(1, 'must have at least one evaluator').safeParse(value), context);
});

const specSchema = z.strictObject({
  name: z.string().min(1).max(200).optional(),
  task: z.string().optional(),
  state: jsonObject.optional(),
  generator,
  evaluator: evaluators,
  corrector: corrector.optional(),
  maxIterations: z.int().min(1).max(10_000).optional(),
  qualityThreshold: share.optional(),
  onFailure: z.enum(FAILURE_POLICIES).optional(),
  bestVersionSelection: z.enum(SELECTIONS).optional(),
  model: z.string().min(1).optional(),
  reflectionModel: z.string().min(1).optional(),
  reflectionPrompt: z.string().min(1).optional(),
  structuredReflection: z.boolean().optional(),
  preserveAllVersions: z.boolean().optional(),
  timeouts: z
    .strictObject({ modelCall: duration.optional(), step: duration.optional(), retryFor: duration.optional() })
    .optional(),
});

function pointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function problemsOf(issue: z.core.$ZodIssue, value: unknown): SpecProblem[] {
  const path = pointer(issue.path);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: `${path}${pointer([key])}`,
      message: LATER_FIELDS[path]?.includes(key) ? 'not supported yet' : 'unknown field',
    }));
  }
  const missing = issue.path.length > 0 && valueAt(value, issue.path) === undefined;
  return [{ path, message: missing ? 'is required' : issue.message }];
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | null | undefined)?.[key], value);
}

/** The parts of a spec that are well-formed, so that what is in them can be checked although other parts are not. */
export interface SpecParts extends Partial<Omit<ReflectionSpec, 'evaluator'>> {
  /** By its path in the spec. */
  evaluators: { path: string; evaluator: Evaluator }[];
}

function evaluatorParts(value: unknown): SpecParts['evaluators'] {
  const listed = Array.isArray(value)
    ? value.map((each: unknown, index) => ({ path: `/evaluator/${index}`, each }))
    : [{ path: '/evaluator', each: value }];
  return listed.flatMap(({ path, each }) => {
    const parsed = evaluator.safeParse(each);
    return parsed.success ? [{ path, evaluator: parsed.data }] : [];
  });
}

/** The well-formed parts of what may be a spec. */
export function specParts(value: object): SpecParts {
  const { evaluator: _evaluator, ...shape } = specSchema.shape;
  const fields = Object.entries(shape).flatMap(([key, schema]) => {
    const parsed = schema.safeParse((value as Record<string, unknown>)[key]);
    return parsed.success && parsed.data !== undefined ? [[key, parsed.data]] : [];
  });
  return { ...Object.fromEntries(fields), evaluators: evaluatorParts((value as { evaluator?: unknown }).evaluator) };
}

/** Reads a spec from outside: the spec, or every mistake of its form. Names and schemas are checked by `prepare`. */
export function parseSpec(value: unknown): { spec: ReflectionSpec } | { problems: SpecProblem[] } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problems: [{ path: '', message: 'a spec must be a JSON object' }] };
  }
  const result = specSchema.safeParse(value);
  if (result.success) return { spec: result.data as ReflectionSpec };
  return { problems: result.error.issues.flatMap((issue) => problemsOf(issue, value)) };
}

/** A valid spec's settings, with defaults and in milliseconds. */
export function settingsOf(spec: ReflectionSpec): LoopSettings {
  return {
    maxIterations: spec.maxIterations ?? 3,
    qualityThreshold: spec.qualityThreshold ?? 0.8,
    onFailure: spec.onFailure ?? 'return_best',
    bestVersionSelection: spec.bestVersionSelection ?? 'highest_score',
    preserveAllVersions: spec.preserveAllVersions ?? true,
    timeouts: {
      modelCallMs: milliseconds(spec.timeouts?.modelCall ?? '2m'),
      stepMs: milliseconds(spec.timeouts?.step ?? '2m'),
      retryForMs: milliseconds(spec.timeouts?.retryFor ?? '1h'),
    },
  };
}
